import { randomUUID } from 'node:crypto';
import { until } from './until.ts';
import type { Answer, CallOptions, TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';

export const password = 'correct horse battery staple';

/** A person who has signed up and signed in. */
export interface Person {
  userId: string;
  email: string;
  token: string;
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  /** Posts JSON below /api/auth. */
  post: (path: string, json?: unknown) => Promise<Answer>;
  get: (path: string) => Promise<Answer>;
}

/** Signs a person up. Their address is confirmed by the link in the mail, unless `confirm` is false. */
export async function signUp(
  api: TestApi,
  options: { email?: string; name?: string; confirm?: boolean } = {},
): Promise<Person> {
  const email = options.email ?? `${randomUUID()}@example.com`;
  const answer = await api.call('POST', '/api/auth/sign-up/email', {
    json: { name: options.name ?? 'Abebe Bikila', email, password },
  });
  if (answer.status !== 200)
    throw new Error(`The sign-up responded ${answer.status}: ${JSON.stringify(answer.body)}`);
  if (options.confirm ?? true) {
    const { status } = await confirmByLink(api, await linkMailed(api, email, '/verify-email'));
    if (status !== 303) throw new Error(`The link in the mail responded ${status}.`);
  }
  return personOf(api, answer.body.user.id as string, email, answer.body.token as string);
}

/** Signs a person in and returns them with the new session. */
export async function signIn(api: TestApi, email: string, secret: string = password): Promise<Person> {
  const answer = await api.call('POST', '/api/auth/sign-in/email', { json: { email, password: secret } });
  if (answer.status !== 200)
    throw new Error(`The sign-in responded ${answer.status}: ${JSON.stringify(answer.body)}`);
  return personOf(api, answer.body.user.id as string, email, answer.body.token as string);
}

function personOf(api: TestApi, userId: string, email: string, token: string): Person {
  const call: Person['call'] = (method, path, options = {}) =>
    api.call(method, path, { session: token, ...options });
  return {
    userId,
    email,
    token,
    call,
    post: (path, json) => call('POST', `/api/auth${path}`, json === undefined ? {} : { json }),
    get: (path) => call('GET', `/api/auth${path}`),
  };
}

/** The link in the last mail to an address, as a path of the API. */
export async function linkMailed(api: TestApi, to: string, part: string): Promise<string> {
  const text = await until(
    `a mail to ${to} with ${part}`,
    () => api.mails.findLast((mail) => mail.to === to && mail.text.includes(part))?.text,
  );
  const url = new URL(/https?:\/\/\S+/.exec(text)![0]);
  return url.pathname + url.search;
}

/** Confirms an address as the page behind the link in the mail does. */
export function confirmByLink(api: TestApi, link: string): Promise<Answer> {
  const { pathname, searchParams } = new URL(link, api.baseUrl);
  return api.call('POST', pathname, { form: searchParams });
}

/** Creates an organization with its owner, and with further members in the given roles. */
export async function createOrganization(
  owner: Person,
  others: { person: Person; role: 'owner' | 'admin' | 'member' }[] = [],
): Promise<{ organizationId: string; memberIds: Record<string, string> }> {
  const { body } = await owner.post('/organization/create', { name: 'Acme', slug: `acme-${randomUUID()}` });
  const organizationId = body.id as string;
  const memberIds: Record<string, string> = { [owner.userId]: body.members[0].id as string };
  for (const { person, role } of others) {
    const invitation = await owner.post('/organization/invite-member', {
      email: person.email,
      role,
      organizationId,
    });
    const accepted = await person.post('/organization/accept-invitation', {
      invitationId: invitation.body.id,
    });
    memberIds[person.userId] = accepted.body.member.id as string;
  }
  return { organizationId, memberIds };
}

/** Makes a person an administrator of the platform, as `npm run admin -- promote` does. */
export async function makeAdministrator(db: TestDatabase, person: Person): Promise<void> {
  await db.query(`update users set role = 'admin' where id = ?`, [person.userId]);
}

/** A problem's status and code. */
export function problemOf({ status, body }: Answer): { status: number; code: unknown } {
  return { status, code: body?.code };
}
