import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { problemOf } from '../helpers/people.ts';

const path = '/api/v1/campaigns/';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let organizationId: string;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  ({ organizationId } = tenant);
  key = await tenant.createKey();
  await db.query(
    `insert into sender_ids (id, organization_id, value, status, use_case, sample_message, created_at)
     values (gen_random_uuid(), ?, 'WAITING', 'pending', 'x', 'x', now())`,
    [organizationId],
  );
  await createTenant(db.database, { sender: 'THEIRS' });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const make = (change: object = {}) =>
  api.call('POST', path, { key, json: { organizationId, name: 'New year', ...change } });
const change = (id: string, fields: object) =>
  api.call('PATCH', `${path}${id}`, { key, json: { organizationId, name: 'New year', ...fields } });
const stored = () => db.query('select * from campaigns order by id');

describe('making a campaign', () => {
  test('it is active unless told otherwise, and nothing was sent in it', async () => {
    const { status, body } = await make();
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...{ organizationId, name: 'New year', description: null, sender: null, status: 'active' },
        ...{ batches: 0, messages: 0 },
      },
    });
  });

  test('the three encodings make the same campaign', async () => {
    const fields = { organizationId, name: 'ዘመን & more', description: 'a', sender: 'ACME', status: 'paused' };
    const encodings: CallOptions[] = [{ json: fields }, { form: fields }, { multipart: fields }];
    for (const options of encodings) {
      const { status, body } = await api.call('POST', path, { key, ...options });
      expect({ status, body }).toMatchObject({ status: 201, body: fields });
    }
  });

  // prettier-ignore
  test.each<[string, Record<string, unknown>, number, string, string | null]>([
    ['no name', { name: undefined }, 400, 'invalid_request', '/body/name'],
    ['an empty name', { name: '' }, 400, 'invalid_request', '/body/name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 400, 'invalid_request', '/body/name'],
    ['a description of 1001 characters', { description: 'x'.repeat(1001) }, 400, 'invalid_request', '/body/description'],
    ['a sender of 21 characters', { sender: 'x'.repeat(21) }, 400, 'invalid_request', '/body/sender'],
    ['a status there is not', { status: 'done' }, 400, 'invalid_request', '/body/status'],
    ['a field there is not', { batches: 5 }, 400, 'invalid_request', '/body/batches'],
    ['no organization', { organizationId: undefined }, 400, 'invalid_request', '/body/organizationId'],
    ['another organization', { organizationId: '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11' }, 404, 'not_found', null],
    ['a sender that was never asked for', { sender: 'NOBODY' }, 422, 'sender_not_approved', '/body/sender'],
    ['a sender that is pending', { sender: 'WAITING' }, 422, 'sender_not_approved', '/body/sender'],
    ['a sender of another organization', { sender: 'THEIRS' }, 422, 'sender_not_approved', '/body/sender'],
    ['a sender in other letters than were approved', { sender: 'acme' }, 422, 'sender_not_approved', '/body/sender'],
  ])('%s is refused, and nothing is stored', async (_name, fields, status, code, at) => {
    const before = await stored();
    const answer = await make(fields);
    expect(answer.body).toMatchObject({ status, code });
    expect(answer.body.errors?.[0].path ?? null).toBe(at);
    expect(await stored()).toEqual(before);
  });
});

describe('changing a campaign', () => {
  test('what is left out stays; null takes it away', async () => {
    const { body: made } = await make({ description: 'a', sender: 'ACME', status: 'paused' });
    const renamed = await change(made.id, { name: 'Renamed' });
    expect(renamed.body).toEqual({ ...made, name: 'Renamed', updatedAt: expect.any(String) });
    const emptied = await change(made.id, { description: null, sender: null });
    expect(emptied.body).toMatchObject({ description: null, sender: null, status: 'paused' });
  });

  // prettier-ignore
  test.each<[from: string, fields: Record<string, unknown>, status: number]>([
    ['active', { status: 'active' }, 200],
    ['active', { status: 'paused' }, 200],
    ['active', { status: 'archived' }, 200],
    ['paused', { status: 'active' }, 200],
    ['paused', { status: 'paused' }, 200],
    ['paused', { status: 'archived', name: 'At last' }, 200],
    ['archived', { status: 'active' }, 200],
    ['archived', { status: 'paused', name: 'Renamed' }, 200],
    ['archived', { status: 'archived' }, 200],
    ['archived', {}, 200],
    ['archived', { name: 'Renamed', description: 'x' }, 200],
    ['archived', { status: 'archived', name: 'Renamed' }, 200],
    ['archived', { description: 'x' }, 200],
    ['archived', { status: 'archived', sender: 'ACME' }, 409],
    ['archived', { sender: 'ACME', name: 'Renamed' }, 409],
  ])('of one that is %s, to %j, is answered %d', async (from, fields, status) => {
    const { body: made } = await make({ status: from });
    const answer = await change(made.id, fields);
    expect(answer.status).toBe(status);
    const [row] = await db.query<{ status: string; name: string }>('select * from campaigns where id = ?', [made.id]);
    if (status === 200) {
      expect(row).toMatchObject({ status: made.status, name: made.name, ...fields });
      return;
    }
    expect(answer.body.code).toBe('invalid_state');
    expect(answer.body.detail).toMatch(/archived.*active or paused/);
    expect(row).toMatchObject({ status: 'archived', name: 'New year', sender: null });
  });

  test('a sender that is not approved is refused, and the campaign stays', async () => {
    const { body: made } = await make();
    const answer = await change(made.id, { name: 'Renamed', sender: 'THEIRS' });
    expect(problemOf(answer)).toEqual({ status: 422, code: 'sender_not_approved' });
    expect(await db.query('select name from campaigns where id = ?', [made.id])).toEqual([
      { name: 'New year' },
    ]);
  });

  test('of an archiving and a renaming at once, neither undoes the other', async () => {
    const { body: made } = await make();
    await Promise.all([change(made.id, { status: 'archived' }), change(made.id, { description: 'x' })]);
    const [row] = await db.query('select status, description from campaigns where id = ?', [made.id]);
    expect(row).toEqual({ status: 'archived', description: 'x' });
  });

  test.each(['x', '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'])(
    'an id that is none, %s, is not found',
    async (id) => {
      const deletion = await api.call('DELETE', `${path}${id}`, { key });
      expect([(await change(id, {})).status, deletion.status]).toEqual([404, 404]);
    },
  );
});

test('a campaign in which nothing was sent can be deleted, once', async () => {
  const { body: made } = await make();
  const statuses = [];
  for (const options of [{ key }, { key }]) {
    statuses.push((await api.call('DELETE', `${path}${made.id}`, options)).status);
  }
  expect(statuses).toEqual([204, 404]);
});

describe('the list', () => {
  let listKey: string;
  const call = async (query = '') => (await api.call('GET', `${path}?${query}`, { key: listKey })).body;
  const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

  beforeAll(async () => {
    const other = await createTenant(db.database);
    listKey = await other.createKey();
    for (let number = 1; number <= 30; number += 1) {
      const json = {
        organizationId: other.organizationId,
        name: `Campaign ${number}`,
        ...(number % 10 === 0 && { status: 'paused', description: '100% of Meskerem' }),
      };
      await api.call('POST', path, { key: listKey, json });
    }
  });

  test('has 25 on a page, newest first, and says how many there are', async () => {
    const first = await call();
    expect(first.pagination).toEqual({ page: 1, pageSize: 25, total: 30, totalPages: 2 });
    expect(namesOf(first).slice(0, 2)).toEqual(['Campaign 30', 'Campaign 29']);
    const second = await call('page=2');
    expect(namesOf(second)).toEqual([5, 4, 3, 2, 1].map((number) => `Campaign ${number}`));
  });

  // prettier-ignore
  test.each<[string, string[], object]>([
    ['page=3', [], { page: 3, pageSize: 25, total: 30, totalPages: 2 }],
    ['page=9999999999&pageSize=100', [], { page: 9999999999, pageSize: 100, total: 30, totalPages: 1 }],
    ['page=2&pageSize=2', ['Campaign 28', 'Campaign 27'], { page: 2, pageSize: 2, total: 30, totalPages: 15 }],
    ['status=paused', ['Campaign 30', 'Campaign 20', 'Campaign 10'], { page: 1, pageSize: 25, total: 3, totalPages: 1 }],
    ['search=meskerem&pageSize=1', ['Campaign 30'], { page: 1, pageSize: 1, total: 3, totalPages: 3 }],
    ['search=PAIGN+7', ['Campaign 7'], { page: 1, pageSize: 25, total: 1, totalPages: 1 }],
    ['search=0%25', ['Campaign 30', 'Campaign 20', 'Campaign 10'], { page: 1, pageSize: 25, total: 3, totalPages: 1 }],
    ['search=7&status=paused', [], { page: 1, pageSize: 25, total: 0, totalPages: 0 }],
  ])('%s', async (query, names, pagination) => {
    const body = await call(query);
    expect({ names: namesOf(body), pagination: body.pagination }).toEqual({ names, pagination });
  });

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'pageSize=0',
    'pageSize=101',
    'status=done',
    'limit=5',
  ])('%s is refused', async (query) =>
    expect(await call(query)).toMatchObject({ status: 400, code: 'invalid_request' }),
  );
});
