import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi } from './api.ts';
import { createTestDatabase, openAs, type TestDatabase } from './databases.ts';
import { findFreePort, oidcClient, startOidcProvider } from './oidc-provider.ts';
import { makeAdministrator, signUp, type Person } from './people.ts';
import { createTenant } from './tenants.ts';

/** What the examples of the contract act on: one organization with a key, an owner, and an administrator. */
export interface ExampleWorld {
  db: TestDatabase;
  api: TestApi;
  organizationId: string;
  key: string;
  owner: Person;
  administrator: Person;
  /** Signs a new person up. */
  newPerson: () => Promise<Person>;
  /** Adds a person to the organization and returns the id of the member. */
  addMember: (person: Person, role?: string) => Promise<string>;
  /** Makes something of the organization with its key, and returns its id. */
  make: (path: string, json: object) => Promise<string>;
  /** Stores a row that no request can make, and returns its id. */
  insert: (sql: string, values: unknown[]) => Promise<string>;
  /** A phone number that no request has used yet. */
  newNumber: () => string;
  stop: () => Promise<void>;
}

/** The API runs as a user with the rights of the role sms_api only, so that every example shows that they suffice. */
export async function createExampleWorld(): Promise<ExampleWorld> {
  const db = await createTestDatabase();
  const restricted = await openAs(db, 'sms_api');
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const api = await startTestApi({
    database: restricted.database,
    webhookAllowedHosts: ['example.com'],
    auth: { oidc: { id: 'oidc', issuer, ...oidcClient } },
  });
  const provider = await startOidcProvider(port, `${api.baseUrl}/api/auth/callback/oidc`);
  const { organizationId, createKey } = await createTenant(db.database);
  const key = await createKey();
  const [owner, administrator] = [await signUp(api), await signUp(api)];
  await makeAdministrator(db, administrator);
  const insert = async (sql: string, values: unknown[]): Promise<string> =>
    (await db.query<{ id: string }>(sql, values))[0]!.id;
  const addMember = (person: Person, role = 'member') =>
    insert(
      `insert into members (id, organization_id, user_id, role, created_at)
        values (gen_random_uuid(), ?, ?, ?, now()) returning id`,
      [organizationId, person.userId, role],
    );
  await addMember(owner, 'owner');
  let numbers = 0;
  return {
    ...{ db, api, organizationId, key, owner, administrator, addMember, insert },
    newPerson: () => signUp(api, { email: `${randomUUID()}@example.com` }),
    newNumber: () => `+2519${String((numbers += 1)).padStart(8, '0')}`,
    make: async (path, json) => {
      const { status, body } = await api.call('POST', path, { key, json: { organizationId, ...json } });
      if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
      return body.id as string;
    },
    stop: async () => {
      await provider.stop();
      await api.stop();
      await restricted.close();
      await db.drop();
    },
  };
}
