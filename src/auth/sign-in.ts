import type { Request as ExpressRequest } from 'express';
import { ApiError } from '../errors.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { enforceLimit } from '../rate-limits/limit-rate.ts';
import type { Mailer } from './mails/mailer.ts';
import {
  clientOf,
  recordSecurityEvent,
  recordWrongPassword,
} from './security-events/record-security-event.ts';
import type { SignInMethod } from './security-events/security-event.entity.ts';
import { noteDevice } from './sessions/note-device.ts';
import { deleteSessions } from './sessions/user-sessions.ts';
import { checkSecondFactor, type SecondFactorDependencies } from './two-factor/check-second-factor.ts';

/**
 * Signs in with the password and, if the user has one, the second factor. A session that better-auth has made for the
 * right password ends if the second factor is wrong; nobody has its token. Sign-ins and refused ones are listed for the
 * user.
 *
 * @param dependencies.secret the key of the hashes of known devices
 * @param askForPassword passes the request to better-auth, which checks the password
 */
export async function signIn(
  dependencies: SecondFactorDependencies & { mailer: Mailer | null; secret: string },
  request: ExpressRequest,
  askForPassword: () => Promise<Response>,
): Promise<Response> {
  const { database, now } = dependencies;
  const { email, code } = inputOf(request, 'signIn').body;
  const client = clientOf(request);
  const answer = await askForPassword();
  if (!answer.ok) {
    if (answer.status === 401) await recordWrongPassword(database, { email, client }, now());
    return answer;
  }
  const { token, user } = (await answer.clone().json()) as { token: string; user: { id: string } };
  const { id: userId } = user;
  const record = (kind: 'signed_in' | 'sign_in_failed', method: SignInMethod) =>
    recordSecurityEvent(dependencies, { userId, kind, method, client }, now());
  try {
    const method = await checkSecondFactor(dependencies, userId, code, (allowance) =>
      enforceLimit(allowance, request.res!),
    );
    await record('signed_in', method ?? 'password');
  } catch (error) {
    await deleteSessions(database, { token });
    const isWrong = error instanceof ApiError && error.code === 'invalid_two_factor_code';
    if (isWrong) await record('sign_in_failed', 'second_factor');
    throw error;
  }
  await noteDevice(dependencies, { userId, ...client }, now());
  return answer;
}
