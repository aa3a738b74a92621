import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/open-database.ts';
import { dropDatabase, runAsAdmin, withDatabase } from '../helpers/databases.ts';

test('of several approved owners of a value the migrations keep the first, of each organization’s in several cases the furthest; short codes stay shared', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name}`);
  const database = await openDatabase({ url: withDatabase(name), poolSize: 2 });
  const query = <Row>(statement: string) => database.em.fork().execute<Row[]>(statement);
  try {
    await database.migrator.up({ to: 'Migration20261121000011_message_lists' });
    await query(`
      with made as (
        insert into organizations (id, name, slug, created_at)
        select gen_random_uuid(), 'Acme', n::text, now() from generate_series(1, 3) n returning id, slug
      )
      insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
      select gen_random_uuid(), made.id, value, status, is_default, 'x', 'x', now() + age
      from made join (values
        ('1', 'Acme', 'approved', true, interval '2 minutes'),
        ('2', 'ACME', 'approved', true, interval '1 minute'),
        ('3', 'acme', 'rejected', false, interval '0'),
        ('2', 'Acme', 'rejected', false, interval '-1 minute'),
        ('3', 'Globex', 'pending', false, interval '1 minute'),
        ('3', 'GLOBEX', 'pending', false, interval '0'),
        ('3', 'globex', 'rejected', false, interval '0'),
        ('1', '8100', 'approved', false, interval '0'),
        ('2', '8100', 'approved', false, interval '0')
      ) rows (slug, value, status, is_default, age) using (slug)`);
    await database.migrator.up();
    const rows = await query(
      `select value, status, is_default from sender_ids order by value collate "C", status`,
    );
    expect(rows).toEqual([
      { value: '8100', status: 'approved', is_default: false },
      { value: '8100', status: 'approved', is_default: false },
      { value: 'ACME', status: 'approved', is_default: true },
      { value: 'Acme', status: 'pending', is_default: false },
      { value: 'GLOBEX', status: 'pending', is_default: false },
      { value: 'acme', status: 'rejected', is_default: false },
    ]);
  } finally {
    await database.close();
    await dropDatabase(name);
  }
});
