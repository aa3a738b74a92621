import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/open-database.ts';
import { dropDatabase, runAsAdmin, withDatabase } from '../helpers/databases.ts';

test('of the open invitations of an address the migration keeps the newest that is not over', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name}`);
  const database = await openDatabase({ url: withDatabase(name), poolSize: 2 });
  const query = (statement: string) => database.em.fork().execute<{ status: string }[]>(statement);
  try {
    await database.migrator.up({ to: 'Migration20261121000003_rate_limits' });
    const id = randomUUID();
    await query(
      `insert into organizations (id, name, slug, created_at) values ('${id}', 'Acme', 'acme', now())`,
    );
    await query(
      `insert into users (id, name, email, created_at, updated_at) values ('${id}', 'A', 'a@example.com', now(), now())`,
    );
    await query(`
      insert into invitations (id, organization_id, email, role, status, expires_at, inviter_id, created_at)
      select gen_random_uuid(), '${id}', email, 'member', status, now() + expires, '${id}', now() + made
      from (values
        ('b@example.com', 'pending', interval '1 day', interval '1 minute'),
        ('B@example.com', 'pending', interval '1 day', interval '2 minutes'),
        ('b@example.com', 'pending', interval '-1 day', interval '3 minutes'),
        ('b@example.com', 'rejected', interval '1 day', interval '4 minutes')
      ) rows (email, status, expires, made)`);
    await database.migrator.up();
    const rows = await query('select status from invitations order by created_at');
    expect(rows.map(({ status }) => status)).toEqual(['canceled', 'pending', 'expired', 'rejected']);
  } finally {
    await database.close();
    await dropDatabase(name);
  }
});
