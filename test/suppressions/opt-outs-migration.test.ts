import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/open-database.ts';
import { dropDatabase, runAsAdmin, withDatabase } from '../helpers/databases.ts';

test('the migration keeps every entry, and to which number a STOP was sent', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name}`);
  const database = await openDatabase({ url: withDatabase(name), poolSize: 2 });
  const query = <Row>(statement: string) => database.em.fork().execute<Row[]>(statement);
  try {
    await database.migrator.up({ to: 'Migration20261121000022_data_audit' });
    await query(`
      with acme as (
        insert into organizations (id, name, slug, created_at) values (gen_random_uuid(), 'Acme', 'acme', now())
        returning id
      ), stop as (
        insert into inbound_messages (id, sender, recipient, text, deduplication_key, status, created_at)
        values (gen_random_uuid(), '+251911000001', '8100', 'STOP', 'key', 'processed', now()) returning id
      )
      insert into suppressions (id, organization_id, phone_number, source, inbound_message_id, created_at)
      select gen_random_uuid(), acme.id, '+251911000001', 'recipient', stop.id, now() from acme, stop
      union all select gen_random_uuid(), acme.id, '+251911000002', 'operator', null, now() from acme`);
    await database.migrator.up();
    expect(
      await query('select phone_number, source, stopped_numbers from suppressions order by phone_number'),
    ).toEqual([
      { phone_number: '+251911000001', source: 'recipient', stopped_numbers: ['8100'] },
      { phone_number: '+251911000002', source: 'operator', stopped_numbers: [] },
    ]);
  } finally {
    await database.close();
    await dropDatabase(name);
  }
});
