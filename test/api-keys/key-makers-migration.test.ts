import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/open-database.ts';
import { dropDatabase, runAsAdmin, withDatabase } from '../helpers/databases.ts';

test('of the keys that there are, the migration names as maker whom the audit log does', async () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name}`);
  const database = await openDatabase({ url: withDatabase(name), poolSize: 2 });
  const query = (statement: string) =>
    database.em.fork().execute<{ name: string; maker_id: string | null }[]>(statement);
  try {
    await database.migrator.up({ to: 'Migration20261121000025_plans_of_small_tables' });
    const [organization, person, gone] = [randomUUID(), randomUUID(), randomUUID()];
    await query(
      `insert into organizations (id, name, slug, created_at) values ('${organization}', 'Acme', 'acme', now())`,
    );
    await query(
      `insert into users (id, name, email, created_at, updated_at) values ('${person}', 'A', 'a@example.com', now(), now())`,
    );
    for (const [key, actor] of [
      ['made', person],
      ['of someone gone', gone],
      ['unknown', null],
    ] as const) {
      const id = randomUUID();
      await query(`
        insert into api_keys (id, organization_id, name, environment, public_id, secret_hash, permissions, created_at)
        values ('${id}', '${organization}', '${key}', 'live', '${key}', '', '{}', now())`);
      if (actor === null) continue;
      for (const action of ['api_key.created', 'api_key.updated']) {
        await query(`
          insert into audit_events (id, organization_id, at, actor_kind, actor_id, action, subject_id, details)
          values (gen_random_uuid(), '${organization}', now(), 'user', '${action === 'api_key.created' ? actor : person}', '${action}', '${id}', '{}')`);
      }
    }
    await database.migrator.up();
    expect(await query('select name, maker_id from api_keys order by name')).toEqual([
      { name: 'made', maker_id: person },
      { name: 'of someone gone', maker_id: null },
      { name: 'unknown', maker_id: null },
    ]);
  } finally {
    await database.close();
    await dropDatabase(name);
  }
});
