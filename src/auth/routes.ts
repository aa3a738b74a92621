import { Router, type Request as ExpressRequest, type Response as ExpressResponse } from 'express';
import { validate as isUuid } from 'uuid';
import type { Database } from '../database.ts';
import { notFound, type ApiError } from '../errors.ts';
import { withoutWildcards } from '../http/search-pattern.ts';
import { toAccountError, toConstraintError } from './account-error.ts';
import { inAccountTransaction } from './account-transaction.ts';
import { auditAccountChange, isAudited } from './audit-account-changes.ts';
import { clientAddressHeader, type Auth } from './better-auth.ts';
import { sendConfirmationPage } from './confirmation-page.ts';
import { endResetLinks, lockPassword } from './end-reset-links.ts';
import { guardOrganization } from './guard-organization.ts';
import { getOwnMember } from '../organizations/get-own-member.ts';
import { limitOrganizations } from '../organizations/limit-organizations.ts';
import { readMetadata } from '../organizations/read-metadata.ts';
import { readEndedInvitations } from './read-ended-invitations.ts';
import { notifyInvitee } from './notify-invitee.ts';
import { toAccountRecords } from './records.ts';
import type { SessionCookies } from './session-cookies.ts';

/**
 * The account endpoints: what openapi.yaml lets through is handed to better-auth as JSON, whatever encoding
 * it came in, and answered in the service's own shapes and errors.
 */
export function authRoutes(dependencies: {
  auth: Auth;
  database: Database;
  baseUrl: string;
  sessionCookies: SessionCookies;
  /** Throws where another site makes a browser send its cookies. */
  refuseCrossSite: (request: ExpressRequest) => void;
  /** Where links of mails may lead on to, beside ours. */
  trustedOrigins: readonly string[];
  /** How many organizations a person may own and still make another. */
  organizationsPerUser: number;
  now: () => Date;
}): Router {
  const {
    auth,
    database,
    baseUrl,
    sessionCookies,
    refuseCrossSite,
    trustedOrigins,
    organizationsPerUser,
    now,
  } = dependencies;
  const router = Router();
  router.get('/api/auth/organization/get-active-member', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    response.json(toAccountRecords(await getOwnMember(database, request.session!)));
  });

  router.get('/api/auth/verify-email', (request, response) => {
    sendConfirmationPage(response, request.query as { token: string; callbackURL?: string }, trustedOrigins);
  });

  router.all('/api/auth/*path', async (request, response) => {
    const path = request.path.replace('/api/auth', '').replace(/\/$/, '');
    try {
      const answer = await handlerFor(path)(request, path);
      if (answer.ok) await request.onSignedIn?.();
      await sendAnswer(answer, request, response);
    } catch (error) {
      throw toConstraintError(error);
    }
  });
  return router;

  function handlerFor(path: string) {
    if (isAudited(path)) return changeAndRecord;
    if (path === '/reset-password' || path === '/change-password') return setPassword;
    if (path === '/verify-email') return confirmAndTell;
    return inOneCommit.has(path) ? answerInOneCommit : answerRequest;
  }

  async function answerRequest(request: ExpressRequest, path: string): Promise<Response> {
    // Where no session is read nobody has looked at this yet; signing in hands a browser its cookies.
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
    const handOn = () =>
      auth.handle(toWebRequest(request, baseUrl, cookiesFor(request, path), organizationId));
    const answer = await handOn();
    // A sign-up that lost the race for its address is told only that it failed. Asked again, better-auth sees
    // the user who won; and if the database was the reason, it says so.
    return (await hasFailedToCreateUser(answer)) ? handOn() : answer;
  }

  /** better-auth finds out by itself who calls: it is shown the session that was authenticated, and no other. */
  function cookiesFor({ session, presentedSession, headers }: ExpressRequest, path: string): string | null {
    if (session) return sessionCookies.ofSession(presentedSession!, headers);
    return path.startsWith('/callback/') ? sessionCookies.ofSignInUnderWay(headers) : null;
  }

  /** What is looked at, what better-auth then changes and the line that tells of it are one commit. */
  function changeAndRecord(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, async (em) => {
      const answer = await answerRequest(request, path);
      if (!answer.ok) throw await refusalOf(answer);
      const changed = (await answer.clone().json()) as Record<string, unknown>;
      auditAccountChange(em, request.session!, path, fieldsOf(request), changed);
      if (path === '/organization/invite-member') await notifyInvitee(em, changed, now());
      if (invitationEnds.has(path)) {
        const { invitationId } = fieldsOf(request);
        await readEndedInvitations(em.getKysely<unknown>(), [String(invitationId)], now());
      }
      return answer;
    });
  }

  /** A password that is set, the end of sessions that goes with it and that of older links are one commit. */
  function setPassword(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, async () => {
      const { session } = request;
      const by = session ? { userId: session.userId } : { resetToken: String(fieldsOf(request)['token']) };
      const userId = await lockPassword(database, by);
      const answer = await answerRequest(request, path);
      if (!answer.ok) throw await refusalOf(answer);
      await endResetLinks(database, userId!);
      return answer;
    });
  }

  /**
   * An address that is confirmed, and what its user is told on that account (better-auth.ts), are one commit. To
   * better-auth it is a GET. The token says all, so it takes no credentials, and any page may send it.
   */
  function confirmAndTell(request: ExpressRequest): Promise<Response> {
    const url = new URL(`${baseUrl}/api/auth/verify-email`);
    for (const [name, value] of Object.entries(fieldsOf(request))) url.searchParams.set(name, String(value));
    return inAccountTransaction(database, () => auth.handle(new Request(url)));
  }

  function answerInOneCommit(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, () => answerRequest(request, path));
  }
}

/** The count of the organizations that a person owns, and the next organization, are one commit. */
const inOneCommit = new Set(['/organization/create']);

/** After these an invitation waits for no answer any more. */
const invitationEnds = new Set(
  ['accept', 'reject', 'cancel'].map((action) => `/organization/${action}-invitation`),
);

function fieldsOf(request: ExpressRequest): Record<string, unknown> {
  return (request.body ?? {}) as Record<string, unknown>;
}

/**
 * PostgreSQL reads a UUID without hyphens, or in braces, too; better-auth, which compares it as text, would not know
 * an administrator who bans himself, or an organization that is active. Error: not_found.
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
 * Makes the request better-auth sees. Its address is ours and not what the Host header says; of its headers
 * none may tell whom it came from, through which host, or with which credentials, but those set here.
 *
 * @param cookies of the session that was authenticated
 * @param organizationId that it acts for, also where the request names none
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
  // better-auth makes a pattern for LIKE of what is searched for, as it is.
  if (searched !== null) url.searchParams.set('searchValue', withoutWildcards(searched));
  // The origin has been looked at before; better-auth would ask for one wherever there are cookies.
  const headers = new Headers({
    ...{ [clientAddressHeader]: request.ip ?? '', origin: new URL(baseUrl).origin },
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

/** What better-auth is to read of a body; an organization's metadata stand in it, or in the changes within. */
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
): Promise<void> {
  for (const cookie of answer.headers.getSetCookie()) response.append('Set-Cookie', cookie);
  for (const name of ['set-auth-token', 'access-control-expose-headers']) {
    const value = answer.headers.get(name);
    if (value !== null) response.set(name, value);
  }
  response.set('Cache-Control', 'no-store');
  const location = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && location !== null) {
    // After a form too: the browser goes on with a GET (RFC 9110, 15.4.4).
    response
      .status(request.method === 'POST' ? 303 : answer.status)
      .set('Location', location)
      .end();
    return;
  }
  if (answer.status >= 400) throw await refusalOf(answer);
  const body = await readBody(answer);
  response.status(answer.status);
  // No session and no organization are `null`, which the validator of responses takes for a missing body.
  if (body === null) response.type('json').send('null');
  else response.json(toAccountRecords(body));
}

async function refusalOf(answer: Response): Promise<ApiError> {
  return toAccountError(answer.status, (await readBody(answer)) as Record<string, unknown> | null);
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}
