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

const message = { to: '0911234567', text: 'Selam' };

test('of a flood beside another organization every request is answered, also after callers have gone', async () => {
  const [quiet, busy] = [await createTenant(db.database), await createTenant(db.database)];
  const [quietKey, busyKey] = [await quiet.createKey(), await busy.createKey()];
  const send = async (key: string) =>
    (await api.call('POST', '/api/v1/messages', { key, json: message })).status;
  expect(await send(quietKey)).toBe(202);

  const gone = new AbortController();
  const abandoned = Array.from({ length: 60 }, () =>
    fetch(`${api.baseUrl}/api/v1/messages`, {
      ...{ method: 'POST', signal: gone.signal, body: JSON.stringify(message) },
      headers: { 'x-api-key': busyKey, 'content-type': 'application/json' },
    }).catch(() => null),
  );
  const flood = Promise.all(Array.from({ length: 60 }, () => send(busyKey)));
  const beside = Promise.all(Array.from({ length: 3 }, () => send(quietKey)));
  gone.abort();
  await Promise.all(abandoned);
  expect(new Set([...(await flood), ...(await beside)])).toEqual(new Set([202]));
  // Whatever those callers had in hand is free again, more than once over.
  const later = await Promise.all(Array.from({ length: 60 }, () => send(busyKey)));
  expect(new Set(later)).toEqual(new Set([202]));
});
