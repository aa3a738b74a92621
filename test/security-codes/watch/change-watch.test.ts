import { startTestApi, type TestApi } from '../../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/databases.ts';
import { makeAdministrator, signUp, type Person } from '../../helpers/people.ts';
import { createTenant, type Tenant } from '../../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;
let tenant: Tenant;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

beforeEach(async () => {
  await db.query('delete from security_code_alarms');
  await db.query('delete from security_code_watch');
  tenant = await createTenant(db.database);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const watch = '/api/v1/admin/security-codes/watch';
const alarms = '/api/v1/admin/security-codes/alarms';
const settings = { mode: 'hold', minCodes: 30, minVerifiedPercent: 20, holdHours: 12 };
const change = (json: object) => administrator.call('PUT', watch, { json });

async function raise(prefix: string, alarm: { holds?: boolean; hours?: number } = {}): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `insert into security_code_alarms (id, organization_id, prefix, holds, codes, verified, raised_at, ends_at)
      values (gen_random_uuid(), ?, ?, ?, 40, 2, now(), now() + make_interval(hours => ?)) returning id`,
    [tenant.organizationId, prefix, alarm.holds ?? true, alarm.hours ?? 1],
  );
  return row!.id;
}

const list = async (query = '') =>
  (await administrator.call('GET', `${alarms}${query}`)).body.data as {
    id: string;
    endedAt: string | null;
  }[];

test('a new service raises alarms and refuses nothing', async () => {
  const fresh = await createTestDatabase();
  const freshApi = await startTestApi({ database: fresh.database });
  try {
    const person = await signUp(freshApi);
    await makeAdministrator(fresh, person);
    expect((await person.call('GET', watch)).body).toEqual({
      ...{ mode: 'alarm', minCodes: 30, minVerifiedPercent: 20, holdHours: 12 },
      ...{ exemptOrganizationIds: [], exemptPrefixes: [], updatedAt: null },
    });
  } finally {
    await freshApi.stop();
    await fresh.drop();
  }
});

test('a change replaces the settings as a whole, and is in the audit log', async () => {
  const { organizationId } = tenant;
  const { status, body } = await change({
    ...{ mode: 'hold', minCodes: 50, minVerifiedPercent: 15, holdHours: 6 },
    ...{ exemptOrganizationIds: [organizationId.toUpperCase()], exemptPrefixes: ['+251', '+1', '+251'] },
  });
  const changed = {
    ...{ mode: 'hold', minCodes: 50, minVerifiedPercent: 15, holdHours: 6 },
    ...{ exemptOrganizationIds: [organizationId], exemptPrefixes: ['+1', '+251'] },
  };
  expect({ status, body }).toEqual({ status: 200, body: { ...changed, updatedAt: expect.any(String) } });
  expect((await administrator.call('GET', watch)).body).toEqual(body);
  expect((await change(settings)).body).toMatchObject({ exemptOrganizationIds: [], exemptPrefixes: [] });
  const audit = await administrator.call(
    'GET',
    '/api/v1/admin/audit-events?action=security_code_watch.changed',
  );
  expect(audit.body.data).toMatchObject([{ details: settings }, { organizationId: null, details: changed }]);
});

test.each<[string, object, string[]]>([
  ['off ends all alarms', { mode: 'off' }, []],
  ['alarm ends those that hold', { mode: 'alarm' }, ['+254722']],
  ['hold ends none', { mode: 'hold' }, ['+254711', '+254722']],
  ['an exempt prefix ends those of the prefix', { exemptPrefixes: ['+25471'] }, ['+254722']],
])('the new settings apply to alarms that last: %s', async (_what, changed, left) => {
  await raise('+254711');
  await raise('+254722', { holds: false });
  expect((await change({ ...settings, ...changed })).status).toBe(200);
  const open = await db.query<{ prefix: string }>(
    'select prefix from security_code_alarms where ended_at is null order by prefix',
  );
  expect(open.map(({ prefix }) => prefix)).toEqual(left);
});

test('an exempt organization has no alarms any more, and another one keeps its own', async () => {
  await raise('+254711');
  const exempt = tenant.organizationId;
  tenant = await createTenant(db.database);
  const kept = await raise('+254711');
  await change({ ...settings, exemptOrganizationIds: [exempt] });
  expect((await list('?open=true')).map(({ id }) => id)).toEqual([kept]);
  expect(await list('?open=false')).toMatchObject([{ releasedBy: administrator.userId }]);
});

test.each<[string, object, string]>([
  ['no mode', { mode: undefined }, '/body/mode'],
  ['an unknown mode', { mode: 'pause' }, '/body/mode'],
  ['4 codes', { minCodes: 4 }, '/body/minCodes'],
  ['1,000,001 codes', { minCodes: 1_000_001 }, '/body/minCodes'],
  ['half a code', { minCodes: 30.5 }, '/body/minCodes'],
  ['0 percent', { minVerifiedPercent: 0 }, '/body/minVerifiedPercent'],
  ['101 percent', { minVerifiedPercent: 101 }, '/body/minVerifiedPercent'],
  ['0 hours', { holdHours: 0 }, '/body/holdHours'],
  ['721 hours', { holdHours: 721 }, '/body/holdHours'],
  ['a prefix without its plus', { exemptPrefixes: ['251'] }, '/body/exemptPrefixes/0'],
  ['a prefix that begins with 0', { exemptPrefixes: ['+0911'] }, '/body/exemptPrefixes/0'],
  ['a prefix of 7 digits', { exemptPrefixes: ['+2519112'] }, '/body/exemptPrefixes/0'],
  ['an organization without an id', { exemptOrganizationIds: ['acme'] }, '/body/exemptOrganizationIds/0'],
  [
    'an unknown organization',
    { exemptOrganizationIds: ['019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa'] },
    '/body/exemptOrganizationIds',
  ],
  ['an unknown field', { window: 60 }, '/body/window'],
])('settings with %s are refused, and nothing changes', async (_what, wrong, path) => {
  const { body: before } = await administrator.call('GET', watch);
  const { status, body } = await change({ ...settings, ...wrong });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
  expect(new Set(body.errors.map((error: { path: string }) => error.path))).toEqual(new Set([path]));
  expect((await administrator.call('GET', watch)).body).toEqual(before);
});

describe('the list of alarms', () => {
  test('has pages, and filters by organization and by whether an alarm lasts', async () => {
    const lasting = await raise('+254711');
    const over = await raise('+254722', { hours: -1 });
    tenant = await createTenant(db.database);
    const others = await raise('+254711');
    expect(new Set((await list()).map(({ id }) => id))).toEqual(new Set([lasting, over, others]));
    expect(new Set((await list('?open=true')).map(({ id }) => id))).toEqual(new Set([lasting, others]));
    expect((await list('?open=false')).map(({ id }) => id)).toEqual([over]);
    expect((await list(`?organizationId=${tenant.organizationId}`)).map(({ id }) => id)).toEqual([others]);
    const first = await administrator.call('GET', `${alarms}?limit=2`);
    const cursor = first.body.pagination.nextCursor as string;
    const second = await list(`?limit=2&cursor=${cursor}`);
    expect(new Set([...first.body.data, ...second].map(({ id }) => id as string))).toEqual(
      new Set([lasting, over, others]),
    );
  });

  test('shows the organization by its name', async () => {
    await raise('+254711');
    expect(await list()).toMatchObject([
      {
        ...{
          organizationId: tenant.organizationId,
          organizationName: 'Acme',
          prefix: '+254711',
          holds: true,
        },
        ...{ codes: 40, verified: 2, endedAt: null, releasedBy: null },
      },
    ]);
  });
});

describe('a release', () => {
  const release = (id: string) => administrator.call('POST', `${alarms}/${id}/release`);

  test('ends the alarm once, of two at once one, and is in the audit log of the organization', async () => {
    const id = await raise('+254711');
    const answers = await Promise.all([release(id), release(id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const [alarm] = await list('?open=false');
    expect(alarm).toMatchObject({ id, releasedBy: administrator.userId });
    const audit = await administrator.call(
      'GET',
      `/api/v1/admin/audit-events?organizationId=${tenant.organizationId}`,
    );
    expect(audit.body.data).toMatchObject([
      {
        action: 'security_code_alarm.released',
        subjectId: id,
        details: { prefix: '+254711', holds: true },
      },
    ]);
    expect(audit.body.data).toHaveLength(1);
  });

  test('of an alarm that has ended by itself changes nothing', async () => {
    const id = await raise('+254711', { hours: -1 });
    expect(await release(id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await list()).toMatchObject([{ id, releasedBy: null }]);
  });

  test.each(['not-an-id', '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa'])('of %s is not found', async (id) => {
    expect((await release(id)).status).toBe(404);
  });
});
