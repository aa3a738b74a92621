import type { Request as ExpressRequest } from 'express';
import type { Database } from '../../database.ts';
import { ApiError, errorCatalogue } from '../../errors.ts';
import { inAccountTransaction } from '../account-transaction.ts';
import { lockUser } from '../lock-user.ts';
import type { Mailer } from '../mails/mailer.ts';
import { clientOf, recordSecurityEvent } from '../security-events/record-security-event.ts';
import { toPasskeyRecord } from './passkey-record.ts';
import { Passkey } from './passkey.entity.ts';

type Handler = (request: ExpressRequest, path: string) => Promise<Response>;

const mostPasskeys = 20;

/** better-auth's errors about a passkey that is not accepted. It has several codes and statuses for them, 500 included. */
const refusals = new Set([
  ...['CHALLENGE_NOT_FOUND', 'PASSKEY_NOT_FOUND', 'AUTHENTICATION_FAILED', 'FAILED_TO_VERIFY_REGISTRATION'],
  'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY',
]);

/**
 * The endpoints of passkeys that better-auth answers, by their paths below /api/auth, with what it leaves out.
 *
 * @param answer passes a request to better-auth
 */
export function passkeyHandlers(
  dependencies: { database: Database; mailer: Mailer | null; now: () => Date },
  answer: Handler,
): Record<string, Handler> {
  const { database, now } = dependencies;
  return {
    '/passkey/generate-authenticate-options': askForVerification,
    '/passkey/verify-authentication': signIn,
    '/passkey/verify-registration': add,
  };

  /** better-auth only prefers that the authenticator recognises its user, and then refuses a passkey that did not. */
  async function askForVerification(request: ExpressRequest, path: string): Promise<Response> {
    const options = await answer(request, path);
    if (!options.ok) return options;
    const body = { ...((await options.json()) as object), userVerification: 'required' };
    return Response.json(body, { headers: options.headers });
  }

  /** The list of security events and the mail about a new device follow from the new session (better-auth.ts). */
  async function signIn(request: ExpressRequest, path: string): Promise<Response> {
    const signedIn = await answer(request, path);
    if (!signedIn.ok) await refuse(signedIn);
    return signedIn;
  }

  /** The passkey and its event are one commit. */
  function add(request: ExpressRequest, path: string): Promise<Response> {
    const { userId } = request.session!;
    return inAccountTransaction(database, async (em) => {
      await lockUser(database, userId);
      if ((await em.count(Passkey, { user: userId })) >= mostPasskeys) {
        throw new ApiError('invalid_state', `A user has ${mostPasskeys} passkeys at most. Remove one first.`);
      }
      const added = await answer(request, path);
      if (!added.ok) {
        await refuse(added);
        return added;
      }
      const { id } = (await added.json()) as { id: string };
      const event = { userId, kind: 'passkey_added', client: clientOf(request) } as const;
      await recordSecurityEvent(dependencies, event, now());
      const passkey = await em.findOneOrFail(Passkey, { id });
      return Response.json(toPasskeyRecord(passkey), { headers: added.headers });
    });
  }
}

/** Error: invalid_passkey, if that is what the answer means. */
async function refuse(refused: Response): Promise<void> {
  const { code } = (await refused.clone().json()) as { code?: unknown };
  if (typeof code === 'string' && refusals.has(code)) {
    throw new ApiError('invalid_passkey', errorCatalogue.invalid_passkey.meaning);
  }
}
