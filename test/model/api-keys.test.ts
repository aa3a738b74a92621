/** API keys and a small model of them: created, changed, revoked and used, by one client and by two at once. */
import * as fc from 'fast-check';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, signUp, type Person } from '../helpers/people.ts';
import {
  keyModel,
  operations,
  type KeyCommand,
  type KeyPermission,
  type KeyResult,
  type OperationName,
} from './key-model.ts';
import { checkHistories, histories, runHistory, type History } from './linearize.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  owner = await signUp(api);
  ({ organizationId } = await createOrganization(owner));
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const names = Object.keys(operations) as OperationName[];
const permissions = fc.subarray(
  names.filter((name): name is KeyPermission => name !== 'session'),
  { minLength: 1 },
);
const target = fc.nat(2);
const command: fc.Arbitrary<KeyCommand> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), permissions }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), target, permissions }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), target }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      target,
      operation: fc.constantFrom(...names),
    }),
  },
);

async function live(history: History<KeyCommand>): Promise<void> {
  const made: { id: string; key: string }[] = [];
  const run = async (
    planned: KeyCommand,
  ): Promise<{ command: KeyCommand; result: KeyResult } | undefined> => {
    if (planned.kind === 'create') {
      const json = { organizationId, name: 'k', environment: 'test', permissions: planned.permissions };
      const { status, body } = await owner.call('POST', '/api/v1/api-keys', { json });
      if (status === 201) made.push({ id: body.id, key: body.key });
      return { command: planned, result: { status, ...body } };
    }
    const chosen = made[planned.target % made.length];
    if (!chosen) return undefined;
    const path = `/api/v1/api-keys/${chosen.id}`;
    const { status, body } = await {
      change: () =>
        owner.call('PATCH', path, {
          json: { organizationId, permissions: 'permissions' in planned ? planned.permissions : [] },
        }),
      revoke: () => owner.call('DELETE', `${path}?organizationId=${organizationId}`),
      call: () =>
        api.call('GET', 'operation' in planned ? operations[planned.operation] : '', { key: chosen.key }),
    }[planned.kind]();
    const { code, permissions: now } = (body || {}) as { code?: string; permissions?: string[] };
    return { command: { ...planned, id: chosen.id }, result: { status, code, permissions: now } };
  };
  await runHistory(keyModel, history, run);
}

test('one client: a key does what its last change says, and nothing once it is revoked', async () => {
  await checkHistories(histories(command, { longest: 12, isParallel: false }), 60, live);
}, 300_000);

test('two clients at once: every answer is that of the model in some order', async () => {
  await checkHistories(histories(command, { longest: 3, isParallel: true }), 60, live);
}, 300_000);
