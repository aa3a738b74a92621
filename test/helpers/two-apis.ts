import type { Database } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { startTestApi, type TestApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { createTenant, type Tenant } from './tenants.ts';

/** Two API processes, each with its own connections, on one database with one organization. */
export interface TwoApis {
  db: TestDatabase;
  api: TestApi;
  otherApi: TestApi;
  /** The same database, as opened by the other API. */
  otherDatabase: Database;
  tenant: Tenant;
  /** Keys of the organization. */
  liveKey: string;
  testKey: string;
  stop: () => Promise<void>;
}

/** Starts both with Temporal down, for guarantees that hold with any number of processes. */
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
