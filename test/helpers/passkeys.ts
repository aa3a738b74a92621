import type { Answer, TestApi } from './api.ts';
import { createAuthenticator, type Authenticator } from './authenticator.ts';
import type { Person } from './people.ts';

type Options = Parameters<Authenticator['create']>[0];

/** Options of the API, and the cookie of their challenge. */
export interface Ceremony {
  options: Options & Record<string, unknown>;
  headers: { Cookie: string };
}

/** Requests options, of a registration for a person and of a sign-in without one. */
export async function beginCeremony(api: TestApi, person?: Person): Promise<Ceremony> {
  const path = `/api/auth/passkey/generate-${person ? 'register' : 'authenticate'}-options`;
  const answer = await api.call('GET', path, person ? { session: person.token } : {});
  const [cookie] = answer.headers.getSetCookie();
  if (answer.status !== 200 || cookie === undefined) throw new Error(`No options: ${answer.status}.`);
  return { options: answer.body as Ceremony['options'], headers: { Cookie: cookie.split(';')[0]! } };
}

/** Gives a person a passkey. */
export async function addPasskey(api: TestApi, person: Person): Promise<Authenticator & { id: string }> {
  const authenticator = createAuthenticator(api.baseUrl);
  const { options, headers } = await beginCeremony(api, person);
  const json = { name: 'Laptop', response: authenticator.create(options) };
  const answer = await person.call('POST', '/api/auth/passkey/verify-registration', { headers, json });
  if (answer.status !== 200) throw new Error(`No passkey: ${JSON.stringify(answer.body)}`);
  return { ...authenticator, id: answer.body.id as string };
}

/** Signs in with the answer of an authenticator. */
export async function signInWithPasskey(
  api: TestApi,
  authenticator: Authenticator,
  oddities: Parameters<Authenticator['get']>[1] = {},
): Promise<Answer> {
  const { options, headers } = await beginCeremony(api);
  const json = { response: authenticator.get(options, oddities) };
  return api.call('POST', '/api/auth/passkey/verify-authentication', { headers, json });
}
