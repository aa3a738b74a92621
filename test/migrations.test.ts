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
