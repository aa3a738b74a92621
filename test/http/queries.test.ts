/** A test over openapi.yaml: every parameter of a query is read alike, however it was written. */
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOperationCaller, type OperationCaller } from '../helpers/operations.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let caller: OperationCaller;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database, { sender: 'Shop 97870' });
  key = await tenant.createKey();
  caller = await createOperationCaller(api, db);
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const parameters = loadContract().operations.flatMap((operation) =>
  [...operation.queryParameters.keys()]
    .filter((name) => operation.permission !== 'gateway' || name !== 'token')
    .map((name): [string, string, Operation] => [`${operation.method} ${operation.path}`, name, operation]),
);

/** What RFC 3986 leaves unencoded in a query, but for `&`, `=` and `+`, which mean something there; and a space. */
const written = "a+b:/?@!$'()*,;~.-_";
const encoded = 'a%20b%3A%2F%3F%40%21%24%27%28%29%2A%2C%3B%7E%2E%2D%5F';

test.each(parameters)(
  '%s reads %s alike with its characters encoded or not',
  async (_path, name, operation) => {
    const [one, other] = [
      await caller.call(operation, { query: `${name}=${written}` }),
      await caller.call(operation, { query: `${name}=${encoded}` }),
    ];
    const comparable = ({ status, body, headers }: typeof one): object => ({
      status,
      location: headers.get('location')?.replace(/state=\w+/, ''),
      body: JSON.stringify(body).replaceAll(
        /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|20\d\d-[\d:.TZ-]+/g,
        '',
      ),
    });
    expect(comparable(one)).toEqual(comparable(other));
    expect(JSON.stringify(one.body)).not.toContain('encoded');
  },
);

test.each([
  ['/api/v1/analytics/export?report=senders&sender=Shop+97870', /^200$/],
  ['/api/v1/messages?from=Shop+97870', /^200$/],
  ['/api/v1/messages?createdFrom=2026-01-01T00:00:00%2B03:00', /^200$/],
  ['/api/v1/contacts?tag=a+b', /^200$/],
  ['/api/v1/messages?&&', /^200$/],
])('%s is taken as programs write it', async (target, status) => {
  expect(String((await api.call('GET', target, { key })).status)).toMatch(status);
});

test('a + in a query is a space, and %2B is a +', async () => {
  const make = async (tag: string, phoneNumber: string) =>
    (
      await api.call('POST', '/api/v1/contacts', {
        key,
        json: { organizationId: tenant.organizationId, phoneNumber, tags: [tag] },
      })
    ).body.id as string;
  const [spaced, plus] = [await make('a b', '+251911000001'), await make('a+b', '+251911000002')];
  const found = async (query: string) =>
    (await api.call('GET', `/api/v1/contacts?${query}`, { key })).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await found('tag=a+b')).toEqual([spaced]);
  expect(await found('tag=a%20b')).toEqual([spaced]);
  expect(await found('tag=a%2Bb')).toEqual([plus]);
});

test.each(
  parameters.filter(
    ([, name, { permission, queryParameters }]) =>
      permission !== 'gateway' && queryParameters.get(name)!.required,
  ),
)('%s says that %s must have a value, and not to leave it out', async (_path, name, operation) => {
  const { status, body } = await caller.call(operation, { query: `${name}=` });
  expect(status).toBe(400);
  expect(body.errors).toContainEqual({
    path: `/query/${name}`,
    ...{ code: 'too_short', message: 'must have a value' },
  });
});

describe('a whole number', () => {
  const numbers = parameters.filter(([, name]) => ['limit', 'offset', 'page', 'pageSize'].includes(name));
  const said = expect.stringMatching(/^must be a whole number /) as string;

  test.each(numbers)('of %s, %s, is read whatever its leading zeros', async (_path, name, operation) => {
    const [one, other] = [
      await caller.call(operation, { query: `${name}=3` }),
      await caller.call(operation, { query: `${name}=${'0'.repeat(1000)}3` }),
    ];
    expect({ status: other.status, page: other.body.pagination }).toEqual({
      status: one.status,
      page: one.body.pagination,
    });
    expect(JSON.stringify(other.body.errors ?? [])).not.toContain(`/query/${name}`);
  });

  test.each(numbers)('of %s, %s, that is too large is refused as one', async (_path, name, operation) => {
    const { status, body } = await caller.call(operation, { query: `${name}=${'9'.repeat(11)}` });
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ path: `/query/${name}`, code: 'wrong_format', message: said });
  });
});

describe('a cursor', () => {
  const lists = loadContract().operations.filter(({ queryParameters }) => queryParameters.has('cursor'));
  let cursor: string;

  beforeAll(async () => {
    const answer = await api.call('GET', '/api/v1/contacts?limit=1', { key });
    cursor = answer.body.pagination.nextCursor as string;
  });

  test('of a list goes on with it, with and without a trailing slash, and when a filter changes', async () => {
    for (const target of ['/api/v1/contacts?', '/api/v1/contacts/?', '/api/v1/contacts?tag=a%20b&']) {
      const { status, body } = await api.call('GET', `${target}cursor=${cursor}`, { key });
      expect({ status, found: body.data.length }).toEqual({ status: 200, found: 1 });
    }
  });

  test.each(lists.map((list): [string, Operation] => [list.path, list]))(
    'of another list is refused by %s',
    async (_path, list) => {
      // An id alone, as cursors were before they named their list, is not accepted either.
      const bare = Buffer.from('019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11').toString('base64url');
      const foreign = list.path === '/api/v1/contacts/' ? [bare] : [bare, cursor];
      const isOfOne = list.queryParameters.get('organizationId')?.required;
      const rest = isOfOne ? `&organizationId=${caller.organizationId}` : '';
      for (const each of foreign) {
        const { status, body } = await caller.call(list, { query: `cursor=${each}${rest}` });
        expect({ status, errors: body.errors }).toEqual({
          status: 400,
          errors: [
            { path: '/query/cursor', code: 'wrong_format', message: 'must be a nextCursor of this list' },
          ],
        });
      }
    },
  );
});
