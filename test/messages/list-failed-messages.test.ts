import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { storeFailedMessages } from '../helpers/failed-messages.ts';
import { createOrganization, makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

test('failed messages of all organizations are listed newest first, page by page, without their texts', async () => {
  const [one, other] = [await createTenant(db.database), await createTenant(db.database)];
  const older = await storeFailedMessages(db, one, { count: 2, createdAt: new Date('2026-11-01T00:00:00Z') });
  const newer = await storeFailedMessages(db, other, {
    count: 1,
    createdAt: new Date('2026-11-02T00:00:00Z'),
  });
  await storeFailedMessages(db, one, { status: 'delivered' });
  const list = async (query: string) =>
    (await administrator.call('GET', `/api/v1/admin/messages${query}`)).body as {
      data: { id: string }[];
      pagination: { nextCursor: string | null };
    };
  const first = await list('?limit=2');
  expect(first.data.map(({ id }) => id)).toEqual([newer[0], older[1]]);
  expect(first.data[0]).toMatchObject({
    ...{ organizationId: other.organizationId, organizationName: 'Acme', errorCode: 'dlr_timeout' },
    ...{ bulkSmsId: null, workflowId: null },
  });
  expect(JSON.stringify(first)).not.toContain('Selam');
  const second = await list(`?limit=2&cursor=${first.pagination.nextCursor}`);
  expect(second).toMatchObject({ data: [{ id: older[0] }], pagination: { nextCursor: null } });
  const ofOne = await list(`?organizationId=${one.organizationId}`);
  expect(ofOne.data.map(({ id }) => id)).toEqual(older.toReversed());
  expect((await list('?organizationId=nobody')).data).toEqual([]);
});

test('administrators find an organization by its name or slug, and see how many members it has', async () => {
  const owner = await signUp(api);
  const { organizationId } = await createOrganization(owner);
  const list = async (query: string) =>
    (await administrator.call('GET', `/api/v1/admin/organizations${query}`)).body.data as {
      id: string;
      slug: string;
    }[];
  const [newest] = await list('?limit=1');
  expect(newest).toMatchObject({ id: organizationId, name: 'Acme', memberCount: 1 });
  expect(await list(`?search=${newest!.slug.toUpperCase()}`)).toEqual([newest]);
  expect(await list('?search=no%25body')).toEqual([]);
});

test('administrators are told the address of the Temporal Web UI', async () => {
  const { body } = await administrator.call('GET', '/api/v1/admin/settings');
  expect(body).toEqual({ temporalUiUrl: 'http://temporal.example', temporalNamespace: 'default' });
});
