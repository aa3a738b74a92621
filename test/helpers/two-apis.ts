import type { Database } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { startTestApi, type TestApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { createTenant, type Tenant } from './tenants.ts';

/** Two processes of the API, each with connections of its own, on one database with one organization. */
export interface TwoApis {
  db: TestDatabase;
  api: TestApi;
  otherApi: TestApi;
  /** What the other API works on: the same database. */
  otherDatabase: Database;
  tenant: Tenant;
  /** Keys of the organization. */
  liveKey: string;
  testKey: string;
  stop: () => Promise<void>;
}

/** Starts them with Temporal down, for what has to hold however many processes there are. */
export async function startTwoApis(now: () => Date): Promise<TwoApis> {
  const db = await createTestDatabase();
  const otherDatabase = await openDatabase({ url: db.url, poolSize: 10 });
  const api = await startTestApi({ database: db.database, now });
  const otherApi = await startTestApi({ database: otherDatabase, now });
  const tenant = await createTenant(db.database);
  const liveKey = await tenant.createKey();
  const testKey = await tenant.createKey({ environment: 'test' });
  return {
    ...{ db, api, otherApi, otherDatabase, tenant, liveKey, testKey },
    stop: async () => {
      await api.stop();
      await otherApi.stop();
      await otherDatabase.close();
      await db.drop();
    },
  };
}
