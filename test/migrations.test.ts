import { createTestDatabase } from './helpers/databases.ts';

test('the migrated schema is the one the entities describe', async () => {
  const { database, drop } = await createTestDatabase();
  const differences = await database.schema.getUpdateSchemaSQL({ wrap: false });
  await drop();
  expect(differences.trim()).toBe('');
});

test('migrations that were applied are not applied again', async () => {
  const { database, drop } = await createTestDatabase();
  expect(await database.migrator.up()).toEqual([]);
  await drop();
});

test('a table that grows, and that foreign keys refer to, is not analysed while it is tiny', async () => {
  // Where these have many rows, they came one by one, with analyses between them.
  const growingSlowly = [
    ...['organizations', 'users', 'phonebooks', 'campaigns', 'contact_imports', 'inbound_keywords'],
    ...['message_schedules'],
  ];
  const { query, drop } = await createTestDatabase();
  const referred = await query<{ name: string; options: string[] | null }>(
    `select distinct on (relname) relname as name, reloptions as options
     from pg_constraint join pg_class on pg_class.oid = confrelid where contype = 'f' order by relname`,
  );
  await drop();
  const growing = referred.filter(({ name }) => !growingSlowly.includes(name));
  expect(growing.map(({ name }) => name)).toEqual(['contacts', 'messages', 'webhook_deliveries']);
  for (const { options } of growing) {
    expect(options).toEqual(
      expect.arrayContaining([
        'autovacuum_analyze_threshold=2000',
        'autovacuum_vacuum_threshold=2000',
        'autovacuum_vacuum_insert_threshold=2000',
      ]),
    );
  }
});
