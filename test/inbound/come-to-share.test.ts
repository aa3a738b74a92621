import { Client } from 'pg';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber, giveMessage, processWaiting } from '../helpers/inbound.ts';
import { makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let reviewer: Person;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  reviewer = await signUp(api);
  await makeAdministrator(db, reviewer);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

interface Tenant {
  organizationId: string;
  key: string;
}

async function newTenant(): Promise<Tenant> {
  const tenant = await createTenant(db.database);
  return { organizationId: tenant.organizationId, key: await tenant.createKey() };
}

let codes = 6100;

/** One who has a short code, one who asks for it too, and the request. */
async function setUp() {
  const code = String((codes += 1));
  const [older, newcomer] = [await newTenant(), await newTenant()];
  await approveNumber(db, older.organizationId, code);
  return { code, older, newcomer, request: await ask(newcomer, code) };
}

async function ask({ key }: Tenant, value: string): Promise<string> {
  const json = { value, useCase: 'Tells customers where parcels are.', sampleMessage: 'x' };
  const { status, body } = await api.call('POST', '/api/v1/sender-ids', { key, json });
  expect(status).toBe(201);
  return body.id as string;
}

const approve = (id: string): Promise<Answer> =>
  reviewer.call('PATCH', `/api/v1/admin/sender-ids/${id}/review`, { json: { action: 'approve' } });
const make = ({ key }: Tenant, json: object = {}): Promise<Answer> =>
  api.call('POST', '/api/v1/inbound/keywords', { key, json: { keyword: 'INFO', response: 'x', ...json } });
const change = ({ key }: Tenant, id: string, json: object): Promise<Answer> =>
  api.call('PATCH', `/api/v1/inbound/keywords/${id}`, { key, json });
const rowOf = async (id: string) => (await db.query('select * from sender_ids where id = ?', [id]))[0];

const taken = { status: 409, code: 'already_exists' };

test('who has the same keyword does not come to share a short code: the reviewer is told which and whose', async () => {
  const { code, older, newcomer, request } = await setUp();
  // The newcomer's rule is the older of the two, and would go first.
  const theirs = await make(newcomer);
  await make(newcomer, { keyword: 'PRICE' });
  await make(older);
  const before = await rowOf(request);
  const refused = await approve(request);
  expect(problemOf(refused)).toEqual(taken);
  expect(refused.body.detail).toContain(`on the short code ${code}: “INFO”.`);
  expect(refused.body.errors).toEqual([
    {
      path: '/body/action',
      code: 'keyword_taken',
      message: `“INFO” (exact) is a keyword of the organization Acme (${older.organizationId})`,
    },
  ]);
  expect(await rowOf(request)).toEqual(before);
  expect(await db.query('select from audit_events where subject_id = ?', [request])).toEqual([]);
  await giveMessage(api, { from: '+251911234567', to: code, text: 'info' });
  await processWaiting(db);
  const answered = await db.query('select organization_id as id from inbound_messages where recipient = ?', [
    code,
  ]);
  expect(answered).toEqual([{ id: older.organizationId }]);
  expect((await change(newcomer, theirs.body.id as string, { enabled: false })).status).toBe(200);
  expect(await approve(request)).toMatchObject({ status: 200, body: { status: 'approved' } });
  expect(problemOf(await change(newcomer, theirs.body.id as string, { enabled: true }))).toEqual(taken);
});

// prettier-ignore
test.each<[string, object, object, number]>([
  ['the same keyword', {}, {}, 409],
  ['the same in another case and form', {}, { keyword: ' ｉｎｆｏ' }, 409],
  ['the same with the same other matchType', { matchType: 'contains' }, { matchType: 'contains' }, 409],
  ['the same with another matchType', {}, { matchType: 'contains' }, 200],
  ['another keyword', {}, { keyword: 'PRICE' }, 200],
  ['the same, disabled', {}, { enabled: false }, 200],
  ['the same, which the older one has disabled', { enabled: false }, {}, 200],
])('of a newcomer with %s the approval is answered as it should be', async (...[, old, young, status]) => {
  const { older, newcomer, request } = await setUp();
  expect((await make(older, old)).status).toBe(201);
  expect((await make(newcomer, young)).status).toBe(201);
  expect((await approve(request)).status).toBe(status);
});

test('rules of those who do not have the code do not count', async () => {
  const { newcomer, request } = await setUp();
  const stranger = await newTenant();
  await ask(stranger, String(codes));
  await make(stranger);
  await make(newcomer);
  expect((await approve(request)).status).toBe(200);
});

test('a refusal names fifty keywords of more', async () => {
  const { older, newcomer, request } = await setUp();
  for (const { organizationId } of [older, newcomer]) {
    await db.query(
      `insert into inbound_keywords
         (id, organization_id, keyword, folded_keyword, match_type, response, enabled, created_at, updated_at)
       select gen_random_uuid(), ?, 'W' || n, 'w' || n, 'exact', 'x', true, now(), now() from generate_series(1, 80) n`,
      [organizationId],
    );
  }
  const { status, body } = await approve(request);
  expect({ status, named: body.errors.length }).toEqual({ status: 409, named: 50 });
});

/** Does work while another connection holds what it needs at its end, and ends that once `then` waits too. */
async function whileHeld<Results>(
  hold: { statement: string; parameters: unknown[]; waiting: number },
  first: () => Promise<Answer>,
  then: () => Promise<Results>,
): Promise<[Answer, Results]> {
  const other = new Client({ connectionString: db.url });
  await other.connect();
  const waiting = (count: number) =>
    until(`${count} that wait`, async () => {
      const rows = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length === count;
    });
  try {
    await other.query('begin');
    await other.query(hold.statement, hold.parameters);
    const working = first();
    await waiting(1);
    const after = then();
    // Where the second does not wait for the first, it has its answer by now: that is what the test is to show.
    await Promise.race([waiting(hold.waiting), after]);
    await other.query('rollback');
    return [await working, await after];
  } finally {
    await other.end();
  }
}

describe('an approval that comes while a rule is being stored waits for it', () => {
  const byWhom = ['older', 'newcomer'] as const;
  const ways = ['made', 'renamed', 'enabled'] as const;

  test.each(byWhom.flatMap((who) => ways.map((way) => [way, who] as const)))(
    'that is %s by the %s',
    async (way, who) => {
      const tenants = await setUp();
      const [tenant, other] = [tenants[who], tenants[who === 'older' ? 'newcomer' : 'older']];
      expect((await make(other)).status).toBe(201);
      const given = way === 'renamed' ? { keyword: 'OTHER' } : { enabled: false };
      const id = way === 'made' ? null : ((await make(tenant, given)).body.id as string);
      const hold =
        id === null
          ? {
              statement: `insert into inbound_keywords
                (id, organization_id, keyword, folded_keyword, match_type, response, enabled, created_at, updated_at)
                values (gen_random_uuid(), $1, 'INFO', 'info', 'exact', 'x', true, now(), now())`,
              parameters: [tenant.organizationId],
            }
          : { statement: 'select from inbound_keywords where id = $1 for update', parameters: [id] };
      const store = () =>
        id === null
          ? make(tenant)
          : change(tenant, id, way === 'renamed' ? { keyword: 'INFO' } : { enabled: true });
      const [stored, approved] = await whileHeld({ ...hold, waiting: 2 }, store, () =>
        approve(tenants.request),
      );
      expect({ stored: stored.status, approved: problemOf(approved) }).toEqual({
        stored: way === 'made' ? 201 : 200,
        approved: taken,
      });
    },
  );
});

test('a rule that is stored while an approval is under way finds who came to share the code', async () => {
  const { code, older, newcomer, request } = await setUp();
  await make(newcomer);
  const hold = {
    statement: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    parameters: [JSON.stringify(['inbound-keywords', code])],
    waiting: 2,
  };
  const [approved, made] = await whileHeld(
    hold,
    () => approve(request),
    () => make(older),
  );
  expect([approved.status, problemOf(made)]).toEqual([200, taken]);
});

test('of three newcomers with one keyword who are approved at the same moment, one comes to share the code', async () => {
  const { code, newcomer, request } = await setUp();
  const others = [await newTenant(), await newTenant()];
  for (const tenant of [newcomer, ...others]) await make(tenant);
  const requests = await Promise.all(others.map((tenant) => ask(tenant, code)));
  const hold = {
    statement: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    parameters: [JSON.stringify(['inbound-keywords', code])],
    waiting: 3,
  };
  const [first, rest] = await whileHeld(
    hold,
    () => approve(request),
    () => Promise.all(requests.map(approve)),
  );
  expect([first, ...rest].map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409, 409,
  ]);
});
