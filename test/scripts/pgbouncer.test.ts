import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { pino } from 'pino';
import { startPgBouncer, type PgBouncer } from '../../scripts/cluster/pgbouncer.ts';
import { findServerPort } from '../../scripts/embedded/ports.ts';
import { sqlOf, type Database } from '../../src/database.ts';
import { createNoticeListener } from '../../src/notice-listener.ts';
import { openDatabase } from '../../src/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { describeWithPgBouncer } from '../helpers/pgbouncer.ts';
import { until } from '../helpers/until.ts';

describeWithPgBouncer('through PgBouncer in session mode', () => {
  let db: TestDatabase;
  let directory: string;
  let pgbouncer: PgBouncer;

  beforeAll(async () => {
    db = await createTestDatabase();
    directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    pgbouncer = await startPgBouncer({
      databaseUrl: db.url,
      directory,
      port: await findServerPort(),
      connections: 2,
      recordFile: join(tmpdir(), `pgbouncer-${process.pid}`),
      log: (line) => console.warn(line),
    });
  });

  afterAll(async () => {
    await pgbouncer?.stop();
    await db.drop();
    await rm(directory, { recursive: true });
  });

  async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase({ url: pgbouncer.url, poolSize: 1 });
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  test('a notice reaches a listener', async () => {
    const notices = createNoticeListener({ url: pgbouncer.url, log: pino({ level: 'silent' }) });
    const received: string[] = [];
    let isListening = false;
    notices.subscribe({
      channel: 'through_pgbouncer',
      onListening: () => (isListening = true),
      onNotice: (payload) => received.push(payload),
    });
    await until('the listener to listen', () => isListening);
    await withDatabase((database) =>
      sql`select pg_notify('through_pgbouncer', 'a')`.execute(sqlOf(database)),
    );
    await until('the notice', () => received.length > 0);
    expect(received).toEqual(['a']);
    await notices.stop();
  });

  test('processes that follow each other on a connection prepare statements under the same name', async () => {
    const run = async (text: string): Promise<{ sum: number; backend: number }[]> => {
      const client = new Client({ connectionString: pgbouncer.url });
      await client.connect();
      const query = { name: 'sum_0', text: `select ${text} as sum, pg_backend_pid() as backend` };
      const results = [await client.query(query), await client.query(query)];
      await client.end();
      return results.flatMap(({ rows }) => rows as { sum: number; backend: number }[]);
    };
    const [first, second] = await run('1 + 1');
    expect([first, second]).toMatchObject([{ sum: 2 }, { sum: 2, backend: first!.backend }]);
    expect(await run('1 + 2')).toEqual(Array(2).fill({ sum: 3, backend: first!.backend }));
  });

  test('a transaction that fails is rolled back, and its connection is usable', async () => {
    const rows = await withDatabase(async (database) => {
      const failing = database.em.fork().transactional(async (em) => {
        await em.execute('create table of_a_failed_transaction (id int)');
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      return database.em.fork().execute(`select to_regclass('of_a_failed_transaction') as found`);
    });
    expect(rows).toEqual([{ found: null }]);
  });
});
