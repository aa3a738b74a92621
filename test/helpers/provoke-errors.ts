import { connect } from 'node:net';
import { startTestApi, type CallOptions, type TestApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { findFreePort, oidcClient } from './oidc-provider.ts';
import { createOrganization, makeAdministrator, signUp, type Person } from './people.ts';
import { createTenant, type Tenant } from './tenants.ts';

/** A request, as text, and the problem that answers it. */
export interface Provoked {
  request: string;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  problem: any;
}

/** What the provocations act on: several servers on one database, and an organization with people and keys. */
export interface ErrorWorld {
  db: TestDatabase;
  api: TestApi;
  /**
   * A server with closed sign-up, without mail server, with an OpenID provider that is away, and on which each person has
   * one organization.
   */
  bareApi: TestApi;
  /** A server on which each caller has one request a minute. */
  strictApi: TestApi;
  tenant: Tenant;
  key: string;
  organizationId: string;
  owner: Person;
  administrator: Person;
  /** Sends JSON with the tenant's key, unless the options say otherwise. */
  send: (method: string, path: string, json?: unknown, options?: CallOptions) => Promise<Provoked>;
  /** Makes something of the tenant's and returns its id. */
  make: (path: string, json: object) => Promise<string>;
  /** Runs when the world is stopped. */
  onStop: (stop: () => Promise<void>) => void;
  stop: () => Promise<void>;
}

export async function createErrorWorld(): Promise<ErrorWorld> {
  const db = await createTestDatabase();
  const { database } = db;
  const api = await startTestApi({ database });
  const issuer = `http://127.0.0.1:${await findFreePort()}`;
  const bareApi = await startTestApi({
    database,
    hasMailer: false,
    organizationsPerUser: 1,
    auth: { isSignUpClosed: true, oidc: { id: 'oidc', issuer, ...oidcClient } },
  });
  const strictApi = await startTestApi({ database, rateLimits: { caller: 1 } });
  const tenant = await createTenant(database);
  const key = await tenant.createKey();
  const [owner, administrator] = [await signUp(api), await signUp(api)];
  const { organizationId } = await createOrganization(owner);
  await makeAdministrator(db, administrator);
  const stops: (() => Promise<void>)[] = [];
  return {
    ...{ db, api, bareApi, strictApi, tenant, key, organizationId, owner, administrator },
    send: (method, path, json, options) => sendTo(api, method, path, { key, ...withJson(json), ...options }),
    make: async (path, json) => {
      const { organizationId: id } = tenant;
      const { status, body } = await api.call('POST', path, { key, json: { organizationId: id, ...json } });
      if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
      return body.id as string;
    },
    onStop: (stop) => void stops.push(stop),
    stop: async () => {
      for (const stop of stops) await stop();
      await Promise.all([api.stop(), bareApi.stop(), strictApi.stop()]);
      await db.drop();
    },
  };
}

const withJson = (json: unknown): CallOptions => (json === undefined ? {} : { json });

export async function sendTo(
  { call }: Pick<TestApi, 'call'>,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Provoked> {
  const { headers, body } = await call(method, path, options);
  return { request: asText(method, path, options), headers, problem: body };
}

/** The request as HTTP writes it, without the headers of its credentials. */
function asText(method: string, path: string, { headers = {}, json, raw }: CallOptions): string {
  const type = json === undefined ? raw?.type : 'application/json';
  const shown = { ...headers, ...(type !== undefined && { 'Content-Type': type }) };
  const lines = Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
  const body = json === undefined ? raw?.body : JSON.stringify(json);
  return [`${method} ${path}`, ...lines, ...(body === undefined ? [] : ['', String(body)])].join('\n');
}

/** Posts JSON below /api/auth as a person. */
export function postAs(person: Pick<Person, 'call'>, path: string, json?: unknown): Promise<Provoked> {
  return sendTo(person, 'POST', `/api/auth${path}`, withJson(json));
}

/** Sends bytes that no HTTP client would send. */
export function sendBytes({ baseUrl }: TestApi, bytes: string): Promise<Provoked> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
      resolve({
        request: bytes.trim().replaceAll('\r\n', '\n'),
        headers: new Headers({ 'Content-Type': type.trim() }),
        problem: JSON.parse(body),
      });
    });
    socket.on('error', reject);
  });
}
