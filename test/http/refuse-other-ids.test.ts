import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOperationCaller, type OperationCaller } from '../helpers/operations.ts';

const withId = loadContract().operations.filter(({ path }) => /^\/api\/v1\/.*\{/.test(path));

let db: TestDatabase;
let api: TestApi;
let caller: OperationCaller;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  caller = await createOperationCaller(api, db);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Operations that are complete without a body and a query, so that only the id can be refused. */
const withIdAlone = withId
  .filter(({ bodyRequired }) => !bodyRequired)
  .filter(({ queryParameters }) => ![...queryParameters.values()].some(({ required }) => required))
  .map((operation): [string, Operation] => [`${operation.method} ${operation.path}`, operation]);

test.each(withIdAlone)('%s finds nothing under an id that is not a UUID', async (_name, operation) => {
  for (const id of ['1', 'not-a-uuid', '019aa3c01f4e7a518f0a5d1a2d0c9b11', '%7B%7D']) {
    const path = operation.path.replace(/\{\w+\}/, id);
    const { status, body } = await caller.call({ ...operation, path });
    expect({ id, status, body }).toMatchObject({ id, status: 404, body: { code: 'not_found' } });
  }
});

test('every operation on one row names it by an id that is checked, or by the number of a suppression', () => {
  const names = withId.flatMap(({ path }) => path.match(/\{\w+\}/g)!);
  expect(names.filter((name) => !/^\{\w+Id\}$/.test(name))).toEqual([]);
});
