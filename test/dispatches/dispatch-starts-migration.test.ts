import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/open-database.ts';
import { dropDatabase, runAsAdmin, withDatabase } from '../helpers/databases.ts';

test('the migration leaves open chunks of bulk batches to the sweep, and counts all other dispatches as started', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name}`);
  const database = await openDatabase({ url: withDatabase(name), poolSize: 2 });
  const query = <Row>(statement: string) => database.em.fork().execute<Row[]>(statement);
  const [chunk, settledChunk, single] = [randomUUID(), randomUUID(), randomUUID()];
  try {
    await database.migrator.up({ to: 'Migration20261121000025_plans_of_small_tables' });
    await query(`
      with acme as (
        insert into organizations (id, name, slug, created_at) values (gen_random_uuid(), 'Acme', 'acme', now())
        returning id
      ), dispatch (id, batch_id, settled_at) as (values
        ('${chunk}'::uuid, gen_random_uuid(), null::timestamptz), ('${settledChunk}', gen_random_uuid(), now()),
        ('${single}', null, null)
      ), carried as (
        insert into dispatches (id, kind, organization_ids, created_at, wake_at, settled_at)
        select dispatch.id, 'messages', array[acme.id], now(), now() + interval '72 hours', settled_at from dispatch, acme
      )
      insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        metadata, created_at, valid_until, due_at, dispatch_id, bulk_batch_id)
      select dispatch.id, acme.id, 'test', 'TEST', '+251911000001', 'x', 'gsm7', 1, 'accepted',
        '{}', now(), now(), now(), dispatch.id, batch_id from dispatch, acme`);
    await database.migrator.up();
    const rows = await query<{ id: string }>(
      `select id, is_bulk, started_at is not null as started, wake_at <= now() as is_due from dispatches`,
    );
    expect(new Map(rows.map(({ id, ...row }) => [id, row]))).toEqual(
      new Map([
        [chunk, { is_bulk: true, started: false, is_due: true }],
        [settledChunk, { is_bulk: false, started: true, is_due: false }],
        [single, { is_bulk: false, started: true, is_due: false }],
      ]),
    );
  } finally {
    await database.close();
    await dropDatabase(name);
  }
});
