import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('an organization that was handed messages cannot be deleted, and nothing of it goes', async () => {
  const tenant = await createTenant(db.database);
  const key = await tenant.createKey();
  const json = { to: '0911234567', text: 'x' };
  expect((await api.call('POST', '/api/v1/messages', { key, json })).status).toBe(202);
  await expect(
    db.query('delete from organizations where id = ?', [tenant.organizationId]),
  ).rejects.toMatchObject({ code: '23001' });
  for (const table of ['messages', 'api_keys', 'sender_ids']) {
    const rows = await db.query(`select from ${table} where organization_id = ?`, [tenant.organizationId]);
    expect({ table, rows: rows.length }).toEqual({ table, rows: 1 });
  }
});
