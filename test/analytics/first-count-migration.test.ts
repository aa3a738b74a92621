import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/open-database.ts';
import { exact, findMiscounts } from '../helpers/counted.ts';
import { dropDatabase, runAsAdmin, type TestDatabase, withDatabase } from '../helpers/databases.ts';

test('the migration counts the messages that are there already', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name}`);
  const database = await openDatabase({ url: withDatabase(name), poolSize: 2 });
  const query: TestDatabase['query'] = (statement) => database.em.fork().execute(statement) as never;
  try {
    await database.migrator.up({ to: 'Migration20261121000018_template_makers' });
    await query(`
      insert into organizations (id, name, slug, created_at)
      select gen_random_uuid(), 'Acme', 'acme-' || n, now() from generate_series(1, 3) n`);
    await query(`
      insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        error_code, metadata, created_at, valid_until, delivered_at, bulk_batch_id)
      select gen_random_uuid(), organizations.id, case when n % 7 = 0 then 'test' else 'live' end, 'S' || n % 2, '+251911234567',
        'x', 'gsm7', 1 + n % 3, status, case when status = 'failed' then 'undelivered' end, '{}', at, at,
        case when status = 'delivered' then at + n * n * interval '1 ms' end, case when n % 5 = 0 then organizations.id end
      from organizations cross join generate_series(1, 400) n
      cross join lateral (
        select timestamptz '2026-03-28 20:00:00Z' + n * interval '7 minutes' as at,
          (array['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'])[1 + n % 6] as status
      ) made`);
    await database.migrator.up();
    expect(await findMiscounts({ query })).toEqual(exact);
    const [counted] = await query<{ messages: number; deltas: number }>(`
      select sum(queued + accepted + sent + delivered + failed + cancelled)::int as messages,
        (select count(*)::int from message_count_deltas) as deltas
      from message_counts`);
    expect(counted).toEqual({ messages: 1200, deltas: 0 });
  } finally {
    await database.close();
    await dropDatabase(name);
  }
});
