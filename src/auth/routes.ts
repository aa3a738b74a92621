import { Router, type Request as ExpressRequest, type Response as ExpressResponse } from 'express';
import { validate as isUuid } from 'uuid';
import { notFound, type ApiError } from '../errors.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { withoutWildcards } from '../http/search-pattern.ts';
import { toAccountError, toConstraintError } from './account-error.ts';
import { inAccountTransaction } from './account-transaction.ts';
import { auditAccountChange, isAudited } from './audit-account-changes.ts';
import { clientAddressHeader, type Auth, type AuthSettings } from './better-auth.ts';
import { sendConfirmationPage } from './mails/confirmation-page.ts';
import { endResetLinks, lockPassword } from './mails/end-reset-links.ts';
import { guardOrganization } from './guard-organization.ts';
import { passwordPagePath, sendPasswordPage } from './mails/password-page.ts';
import { getOwnMember } from '../organizations/get-own-member.ts';
import { limitOrganizations } from '../organizations/limit-organizations.ts';
import { notifyInvitee } from '../organizations/notify-invitee.ts';
import { readEndedInvitations } from '../organizations/read-ended-invitations.ts';
import { readMetadata } from '../organizations/read-metadata.ts';
import { passkeyHandlers } from './passkeys/passkey-handlers.ts';
import { toAccountRecords } from './records.ts';
import { refuseOpenRedirect } from './access/refuse-open-redirect.ts';
import type { Mailer } from './mails/mailer.ts';
import type { SessionCookies } from './sessions/session-cookies.ts';
import { signInOptionsOf } from './sign-in-options.ts';
import { clientOf, recordSecurityEvent } from './security-events/record-security-event.ts';
import { signIn } from './sign-in.ts';
import type { SecondFactorDependencies } from './two-factor/check-second-factor.ts';

/**
 * The account endpoints. A request that openapi.yaml allows is passed to better-auth as JSON, in whichever encoding it
 * was sent. The response has the service's own shapes and errors.
 */
export function authRoutes(
  dependencies: SecondFactorDependencies & {
    auth: Auth;
    authSettings: Omit<AuthSettings, 'baseUrl'>;
    mailer: Mailer | null;
    /** The key of the hashes of known devices. */
    secret: string;
    baseUrl: string;
    sessionCookies: SessionCookies;
    /** Throws if another site caused the browser to send its cookies. */
    refuseCrossSite: (request: ExpressRequest) => void;
    /** Additional origins to which the links of mails may redirect. */
    trustedOrigins: readonly string[];
    /** The maximum number of organizations that a person may own. */
    organizationsPerUser: number;
  },
): Router {
  const {
    auth,
    authSettings,
    database,
    baseUrl,
    sessionCookies,
    refuseCrossSite,
    trustedOrigins,
    organizationsPerUser,
    now,
  } = dependencies;
  const router = Router();
  const ofPasskeys = passkeyHandlers(dependencies, answerRequest);
  router.get('/api/auth/organization/get-active-member', async (request, response) => {
    response.json(toAccountRecords(await getOwnMember(database, request.session!), now()));
  });

  router.get('/api/auth/sign-in/options', (_request, response) => {
    response.json(signInOptionsOf(authSettings, baseUrl));
  });

  router.use('/api/auth', (request, _response, next) => {
    refuseOpenRedirect({ ...request.query, ...fieldsOf(request) }, baseUrl);
    next();
  });

  router.get('/api/auth/verify-email', (request, response) => {
    const { query } = inputOf(request, 'openEmailVerification');
    sendConfirmationPage(response, query, trustedOrigins);
  });

  router.get(passwordPagePath, (request, response) => {
    sendPasswordPage(response, inputOf(request, 'openPasswordPage').query);
  });

  router.all('/api/auth/*path', async (request, response) => {
    const path = request.path.replace('/api/auth', '').replace(/\/$/, '');
    try {
      const answer = await handlerFor(path)(request, path);
      if (answer.ok) await request.onSignedIn?.();
      await sendAnswer(answer, request, response, now());
    } catch (error) {
      throw toConstraintError(error);
    }
  });
  return router;

  function handlerFor(path: string) {
    if (isAudited(path)) return changeAndRecord;
    if (Object.hasOwn(ofPasskeys, path)) return ofPasskeys[path]!;
    if (path === '/reset-password' || path === '/change-password') return setPassword;
    if (path === '/verify-email') return confirmAndNotify;
    if (path === '/sign-in/email') {
      return (request: ExpressRequest) => signIn(dependencies, request, () => answerRequest(request, path));
    }
    if (path === '/admin/revoke-user-sessions') return endSessionsOfUser;
    return inOneCommit.has(path) ? answerInOneCommit : answerRequest;
  }

  async function answerRequest(request: ExpressRequest, path: string): Promise<Response> {
    // Where no session is read, this check has not run yet. It is needed, because signing in gives a browser its
    // cookies.
    if (!request.session) refuseCrossSite(request);
    else refuseOtherIds({ ...request.query, ...fieldsOf(request) });
    const [, organizationAction] = /^\/organization\/([^/]+)/.exec(path) ?? [];
    let organizationId: string | undefined;
    if (organizationAction !== undefined && request.session) {
      const fields = request.method === 'GET' ? request.query : fieldsOf(request);
      if (organizationAction === 'create') {
        await limitOrganizations(database, request.session.userId, organizationsPerUser);
      }
      organizationId = await guardOrganization(database, request.session, organizationAction, fields, now());
    }
    const callBetterAuth = () =>
      auth.handle(toWebRequest(request, baseUrl, cookiesFor(request, path), organizationId));
    const answer = await callBetterAuth();
    // If another sign-up takes the same address concurrently, better-auth only reports that the sign-up failed. At the
    // second call better-auth sees the other user; if the database was the reason, it reports that.
    return (await hasFailedToCreateUser(answer)) ? callBetterAuth() : answer;
  }

  /** The end of all sessions of a user by an administrator, and its entry in the user's list, are one commit. */
  function endSessionsOfUser(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, async () => {
      const answer = await answerRequest(request, path);
      if (!answer.ok) throw await refusalOf(answer);
      const { userId } = inputOf(request, 'revokeUserSessions').body;
      const administratorId = request.session!.userId;
      const event = { userId, kind: 'session_ended', client: clientOf(request), administratorId } as const;
      await recordSecurityEvent(dependencies, event, now());
      return answer;
    });
  }

  /**
   * better-auth identifies the caller by itself. It is given only the session that was authenticated, and the cookie of
   * what is in progress.
   */
  function cookiesFor({ session, presentedSession, headers }: ExpressRequest, path: string): string | null {
    const cookies = [
      session ? sessionCookies.ofSession(presentedSession!, headers) : null,
      path.startsWith('/passkey/verify-') ? sessionCookies.ofPasskeyChallenge(headers) : null,
      !session && path.startsWith('/callback/') ? sessionCookies.ofSignInUnderWay(headers) : null,
    ].filter((cookie) => cookie !== null);
    return cookies.length === 0 ? null : cookies.join('; ');
  }

  /** The checks, the change that better-auth makes and its audit event are one commit. */
  function changeAndRecord(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, async (em) => {
      const answer = await answerRequest(request, path);
      if (!answer.ok) throw await refusalOf(answer);
      const changed = (await answer.clone().json()) as Record<string, unknown>;
      auditAccountChange(em, request.session!, path, changed);
      if (path === '/organization/invite-member') await notifyInvitee(em, changed, now());
      if (invitationEnds.has(path)) {
        const { invitationId } = fieldsOf(request);
        await readEndedInvitations(em.getKysely<unknown>(), [String(invitationId)], now());
      }
      return answer;
    });
  }

  /** The new password, the end of the user's sessions and the end of older reset links are one commit. */
  function setPassword(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, async () => {
      const { session } = request;
      const by = session ? { userId: session.userId } : { resetToken: String(fieldsOf(request)['token']) };
      const userId = await lockPassword(database, by);
      const answer = await answerRequest(request, path);
      if (!answer.ok) throw await refusalOf(answer);
      await endResetLinks(database, userId!);
      const kind = session ? 'password_changed' : 'password_reset';
      await recordSecurityEvent(dependencies, { userId: userId!, kind, client: clientOf(request) }, now());
      return answer;
    });
  }

  /**
   * The confirmation of an address and the notifications that follow from it (better-auth.ts) are one commit. For
   * better-auth the request is a GET. The token is sufficient: no credentials are needed, and any page may send it.
   */
  function confirmAndNotify(request: ExpressRequest): Promise<Response> {
    const url = new URL(`${baseUrl}/api/auth/verify-email`);
    for (const [name, value] of Object.entries(fieldsOf(request))) url.searchParams.set(name, String(value));
    return inAccountTransaction(database, () => auth.handle(new Request(url)));
  }

  function answerInOneCommit(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, () => answerRequest(request, path));
  }
}

/** Counting the organizations that a person owns and creating the next one are one commit. */
const inOneCommit = new Set(['/organization/create']);

/** The actions after which an invitation is no longer open. */
const invitationEnds = new Set(
  ['accept', 'reject', 'cancel'].map((action) => `/organization/${action}-invitation`),
);

function fieldsOf(request: ExpressRequest): Record<string, unknown> {
  return (request.body ?? {}) as Record<string, unknown>;
}

/**
 * PostgreSQL also accepts a UUID without hyphens or in braces. better-auth compares ids as text, so with such an id it
 * would not recognise administrators who ban themselves, or the active organization. Error: not_found.
 */
function refuseOtherIds(fields: Record<string, unknown>): void {
  for (const name of ['id', 'userId', 'memberId', 'invitationId', 'organizationId']) {
    const id = fields[name];
    if (typeof id === 'string' && !isUuid(id)) throw notFound();
  }
}

async function hasFailedToCreateUser(answer: Response): Promise<boolean> {
  if (answer.status !== 422) return false;
  return ((await answer.clone().json()) as { code?: unknown }).code === 'FAILED_TO_CREATE_USER';
}

/**
 * Creates the request for better-auth. Its address is the configured base URL and not the Host header. Only the headers
 * set here may state the client, the host and the credentials.
 *
 * @param cookies the cookies of the session that was authenticated
 * @param organizationId the organization that it acts for, even if the request names none
 */
function toWebRequest(
  request: ExpressRequest,
  baseUrl: string,
  cookies: string | null,
  organizationId?: string,
): Request {
  const url = new URL(request.originalUrl, 'http://localhost');
  const named = organizationId === undefined ? {} : { organizationId };
  if (request.method === 'GET' && organizationId !== undefined) {
    url.searchParams.set('organizationId', organizationId);
  }
  const searched = url.searchParams.get('searchValue');
  if (searched !== null) {
    // Addresses are stored in lower case, and they are what better-auth searches by default.
    const isOfAddress = url.searchParams.get('searchField') !== 'name';
    // better-auth makes a pattern for LIKE of what is searched for, as it is.
    url.searchParams.set('searchValue', withoutWildcards(isOfAddress ? searched.toLowerCase() : searched));
  }
  // The origin has been looked at before; better-auth would ask for one wherever there are cookies.
  const headers = new Headers({
    [clientAddressHeader]: request.ip ?? '',
    origin: new URL(baseUrl).origin,
    ...(cookies !== null && { cookie: cookies }),
  });
  for (const name of ['user-agent', 'accept-language']) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  const hasBody = request.method !== 'GET' && request.body !== undefined;
  if (hasBody) headers.set('content-type', 'application/json');
  return new Request(`${baseUrl}${request.path.replace(/\/$/, '')}${url.search}`, {
    method: request.method,
    headers,
    ...(hasBody && { body: JSON.stringify(toInput({ ...fieldsOf(request), ...named })) }),
  });
}

/** Converts a body for better-auth. The metadata of an organization are in the body, or in `data` for an update. */
function toInput(body: Record<string, unknown>, path = '/body'): Record<string, unknown> {
  const input = { ...body };
  const { metadata, data } = input;
  // better-auth has no null for metadata.
  if (metadata === null) input['metadata'] = {};
  if (typeof metadata === 'string') input['metadata'] = readMetadata(metadata, `${path}/metadata`);
  if (typeof data === 'object' && data !== null) {
    input['data'] = toInput(data as Record<string, unknown>, `${path}/data`);
  }
  return input;
}

async function sendAnswer(
  answer: Response,
  request: ExpressRequest,
  response: ExpressResponse,
  now: Date,
): Promise<void> {
  for (const cookie of answer.headers.getSetCookie()) response.append('Set-Cookie', cookie);
  for (const name of ['set-auth-token', 'access-control-expose-headers']) {
    const value = answer.headers.get(name);
    if (value !== null) response.set(name, value);
  }
  const location = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && location !== null) {
    // 303 after a form, so that the browser continues with a GET (RFC 9110, 15.4.4).
    response
      .status(request.method === 'POST' ? 303 : answer.status)
      .set('Location', location)
      .end();
    return;
  }
  if (answer.status >= 400) throw await refusalOf(answer);
  const body = await readBody(answer);
  response.status(answer.status);
  // The absence of a session or organization is `null`. The validator of responses would treat it as a missing body.
  if (body === null) response.type('json').send('null');
  else response.json(toAccountRecords(body, now));
}

async function refusalOf(answer: Response): Promise<ApiError> {
  return toAccountError(answer.status, (await readBody(answer)) as Record<string, unknown> | null);
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}
