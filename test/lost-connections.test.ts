import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';
import { until } from './helpers/until.ts';
import { createTestDatabase, runAsAdmin, type TestDatabase } from './helpers/databases.ts';

let db: TestDatabase;
/** With a single connection: if it is lost to the pool once, no statement is ever executed again. */
let database: Database;

beforeEach(async () => {
  db = await createTestDatabase();
  database = await openDatabase({ url: db.url, poolSize: 1 });
});

afterEach(async () => {
  await database.close();
  await db.drop();
});

/** Ends a connection from its server, as a restart of PostgreSQL does. */
async function endConnection(connection: Sql): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  await runAsAdmin(`select pg_terminate_backend(${rows[0]!.pid})`);
}

const ping = () => sql<{ one: number }>`select 1 as one`.execute(sqlOf(database));

test.each<[where: string, lose: () => Promise<unknown>]>([
  [
    'within a transaction of the entity manager',
    () => database.em.fork().transactional(async (em) => endConnection(em.getKysely<unknown>())),
  ],
  ['within a transaction of the query builder', () => sqlOf(database).transaction().execute(endConnection)],
  ['after a statement', async () => endConnection(sqlOf(database))],
])(
  'a connection that PostgreSQL ends %s leaves its place in the pool to another one',
  async (_where, lose) => {
    for (let time = 0; time < 3; time += 1) {
      await lose().catch(() => undefined);
      // The first statements may meet the end of the connection.
      const answer = await until('a connection', () => ping().catch(() => null));
      expect(answer.rows).toEqual([{ one: 1 }]);
    }
  },
);
