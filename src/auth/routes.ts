import { Router, type Request as ExpressRequest, type Response as ExpressResponse } from 'express';
import { validate as isUuid } from 'uuid';
import type { Database } from '../database.ts';
import { notFound, type ApiError } from '../errors.ts';
import { toAccountError, toConstraintError } from './account-error.ts';
import { inAccountTransaction } from './account-transaction.ts';
import { auditAccountChange, isAudited } from './audit-account-changes.ts';
import { clientAddressHeader, type Auth } from './better-auth.ts';
import { guardOrganization } from './guard-organization.ts';
import { getOwnMember } from '../organizations/get-own-member.ts';
import { limitOrganizations } from '../organizations/limit-organizations.ts';
import { readMetadata } from '../organizations/read-metadata.ts';
import { readEndedInvitations } from './read-ended-invitations.ts';
import { tellInvited } from './tell-invited.ts';
import { toAccountRecords } from './records.ts';

/**
 * The account endpoints: what openapi.yaml lets through is handed to better-auth as JSON, whatever encoding
 * it came in, and answered in the service's own shapes and errors.
 */
export function authRoutes(dependencies: {
  auth: Auth;
  database: Database;
  baseUrl: string;
  /** How many organizations a person may own and still make another. */
  organizationsPerUser: number;
  now: () => Date;
}): Router {
  const { auth, database, baseUrl, organizationsPerUser, now } = dependencies;
  const router = Router();
  router.get('/api/auth/organization/get-active-member', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    response.json(toAccountRecords(await getOwnMember(database, request.session!)));
  });

  router.all('/api/auth/*path', async (request, response) => {
    const path = request.path.replace('/api/auth', '').replace(/\/$/, '');
    try {
      const answer = await handlerFor(path)(request, path);
      if (answer.ok) await request.onSignedIn?.();
      await sendAnswer(answer, response);
    } catch (error) {
      throw toConstraintError(error);
    }
  });
  return router;

  function handlerFor(path: string) {
    if (isAudited(path)) return changeAndRecord;
    return inOneCommit.has(path) ? answerInOneCommit : answerRequest;
  }

  async function answerRequest(request: ExpressRequest, path: string): Promise<Response> {
    if (request.session) refuseOtherIds({ ...request.query, ...fieldsOf(request) });
    const [, organizationAction] = /^\/organization\/([^/]+)/.exec(path) ?? [];
    let organizationId: string | undefined;
    if (organizationAction !== undefined && request.session) {
      const fields = request.method === 'GET' ? request.query : fieldsOf(request);
      if (organizationAction === 'create') {
        await limitOrganizations(database, request.session.userId, organizationsPerUser);
      }
      organizationId = await guardOrganization(database, request.session, organizationAction, fields, now());
    }
    const answer = await auth.handle(toWebRequest(request, baseUrl, organizationId));
    // A sign-up that lost the race for its address is told only that it failed. Asked again, better-auth sees
    // the user who won; and if the database was the reason, it says so.
    return (await hasFailedToCreateUser(answer)) ? auth.handle(toWebRequest(request, baseUrl)) : answer;
  }

  /** What is looked at, what better-auth then changes and the line that tells of it are one commit. */
  function changeAndRecord(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, async (em) => {
      const answer = await answerRequest(request, path);
      if (!answer.ok) throw await refusalOf(answer);
      const changed = (await answer.clone().json()) as Record<string, unknown>;
      auditAccountChange(em, request.session!, path, fieldsOf(request), changed);
      if (path === '/organization/invite-member') await tellInvited(em, changed, now());
      if (invitationEnds.has(path)) {
        const { invitationId } = fieldsOf(request);
        await readEndedInvitations(em.getKysely<unknown>(), [String(invitationId)], now());
      }
      return answer;
    });
  }

  function answerInOneCommit(request: ExpressRequest, path: string): Promise<Response> {
    return inAccountTransaction(database, () => answerRequest(request, path));
  }
}

/**
 * An address that is confirmed, and what its user is told on that account (better-auth.ts), are one commit; so are the
 * look at the organizations that a person owns and the next one.
 */
const inOneCommit = new Set(['/verify-email', '/organization/create']);

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
 * none may tell whom it came from, or through which host, but those set here.
 *
 * @param organizationId that it acts for, also where the request names none
 */
function toWebRequest(request: ExpressRequest, baseUrl: string, organizationId?: string): Request {
  const url = new URL(request.originalUrl, 'http://localhost');
  const named = organizationId === undefined ? {} : { organizationId };
  if (request.method === 'GET' && organizationId !== undefined) {
    url.searchParams.set('organizationId', organizationId);
  }
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  headers.set(clientAddressHeader, request.ip ?? '');
  // Browsers name the origin of every unsafe request, or say `null`; only other programs name none. better-auth
  // would refuse those with a cookie, though nobody else can have made them call.
  if (!headers.has('origin') && !headers.has('referer') && !headers.has('sec-fetch-site')) {
    headers.set('origin', new URL(baseUrl).origin);
  }
  const hasBody = request.method !== 'GET' && request.body !== undefined;
  if (hasBody) headers.set('content-type', 'application/json');
  return new Request(`${baseUrl}${request.path.replace(/\/$/, '')}${url.search}`, {
    method: request.method,
    headers,
    ...(hasBody && { body: JSON.stringify(toInput({ ...fieldsOf(request), ...named })) }),
  });
}

const passedHeaders = [
  ...['authorization', 'cookie', 'user-agent', 'accept-language'],
  ...['origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'],
];

/** What better-auth is to read of a body; an organization's metadata stand in it, or in the changes within. */
function toInput(body: Record<string, unknown>, path = '/body'): Record<string, unknown> {
  const input = { ...body };
  const { metadata, data } = input;
  if (typeof metadata === 'string') input['metadata'] = readMetadata(metadata, `${path}/metadata`);
  if (typeof data === 'object' && data !== null) {
    input['data'] = toInput(data as Record<string, unknown>, `${path}/data`);
  }
  return input;
}

async function sendAnswer(answer: Response, response: ExpressResponse): Promise<void> {
  for (const cookie of answer.headers.getSetCookie()) response.append('Set-Cookie', cookie);
  for (const name of ['set-auth-token', 'access-control-expose-headers']) {
    const value = answer.headers.get(name);
    if (value !== null) response.set(name, value);
  }
  response.set('Cache-Control', 'no-store');
  const location = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && location !== null) {
    response.status(answer.status).set('Location', location).end();
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
