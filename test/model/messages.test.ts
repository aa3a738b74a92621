/**
 * The service and a small model of it live through the same histories: sending with idempotency keys from two
 * organizations, delivery reports, workers that work and die, broken connections and API processes that start anew.
 */
import * as fc from 'fast-check';
import { createDeliveryReportUrl, createGateway, type Gateway } from '../../src/gateway/kannel.ts';
import { openDatabase } from '../../src/open-database.ts';
import type { Database } from '../../src/database.ts';
import { gatewayToken, startTestApi, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine } from '../helpers/bulk-engine.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';
import { checkHistories, histories, runHistory, type History } from './linearize.ts';
import {
  callers,
  messageModel,
  reportValues,
  statusOf,
  type CallerIndex,
  type MessageCommand,
  type MessageResult,
  type MessageState,
} from './message-model.ts';
import { startScriptedGateway, type ScriptedGateway } from './scripted-gateway.ts';

let db: TestDatabase;
let otherDatabase: Database;
let apis: [TestApi, TestApi];
let engine: BulkEngine;
let scripted: ScriptedGateway;
let gateway: Gateway;
const now = (): Date => engine?.now() ?? new Date();
const startApi = (api: 0 | 1): Promise<TestApi> =>
  startTestApi({ database: api === 0 ? db.database : otherDatabase, now });

beforeAll(async () => {
  db = await createTestDatabase();
  otherDatabase = await openDatabase({ url: db.url, poolSize: 10 });
  apis = [await startApi(0), await startApi(1)];
  scripted = await startScriptedGateway();
  gateway = createGateway({
    ...{ url: scripted.url, username: 'test', password: 'test', timeoutMs: 10_000, connections: 8 },
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: apis[0].baseUrl, token: gatewayToken }),
  });
  engine = await startBulkEngine(apis[0], db, { wrapGateway: () => gateway });
});

afterAll(async () => {
  await engine.stop();
  scripted.stop();
  await Promise.all(apis.map((api) => api.stop()));
  await otherDatabase.close();
  await db.drop();
});

const api = fc.constantFrom<0 | 1>(0, 1);
const caller = fc.constantFrom<CallerIndex>(0, 0, 0, 1, 2);
const target = fc.nat(5);
const send = (isCut: fc.Arbitrary<boolean>): fc.Arbitrary<MessageCommand> =>
  fc.record({
    kind: fc.constant('send' as const),
    ...{ caller, api, isCut },
    to: fc.constantFrom('+251911000001', '+251911000001', '+251911000006', '+251911000007', '+251911000008'),
    text: fc.constantFrom('Selam', 'Selam', 'Dehna'),
    key: fc.constantFrom(null, 'a', 'a', 'b'),
    encoding: fc.constantFrom('json' as const, 'form' as const, 'multipart' as const),
  });
const never = fc.constant(false);
/** What may happen at the same time as anything else. */
const anytime: fc.WeightedArbitrary<MessageCommand>[] = [
  { weight: 5, arbitrary: send(never) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), caller, target, api }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      target,
      api,
      value: fc.constantFrom(...reportValues),
    }),
  },
];
const work: fc.WeightedArbitrary<MessageCommand> = { weight: 3, arbitrary: fc.constant({ kind: 'work' }) };
const disasters: fc.WeightedArbitrary<MessageCommand>[] = [
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), afterStatements: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'pass' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), api }) },
  { weight: 2, arbitrary: send(fc.constant(true)) },
];

/** One history has organizations of its own, so that all others count for nothing. */
async function live(history: History<MessageCommand>): Promise<void> {
  const tenants = [await createTenant(db.database), await createTenant(db.database)];
  const keys = await Promise.all(
    callers.map(({ organization, environment }) => tenants[organization]!.createKey({ environment })),
  );
  const organizationIds = tenants.map(({ organizationId }) => organizationId);
  const ids: string[] = [];
  const run = async (
    command: MessageCommand,
  ): Promise<{ command: MessageCommand; result: MessageResult } | undefined> => {
    switch (command.kind) {
      case 'send': {
        const result = await sendOnce(command, keys[command.caller]!);
        if (result?.id !== undefined && !ids.includes(result.id)) ids.push(result.id);
        return { command, result };
      }
      case 'read':
      case 'report': {
        if (ids.length === 0) return undefined;
        const named = { ...command, id: ids[command.target % ids.length]! };
        return {
          command: named,
          result: await (named.kind === 'read' ? read(named, keys[named.caller]!) : report(named)),
        };
      }
      case 'work':
      case 'crash':
        engine.dieAfter(command.kind === 'crash' ? command.afterStatements : null);
        await carry(organizationIds).catch((error: unknown) => {
          if (!engine.died()) throw error;
        });
        engine.dieAfter(null);
        return { command, result: null };
      case 'pass':
        engine.pass(70);
        return { command, result: null };
      case 'restart':
        await apis[command.api].stop();
        apis[command.api] = await startApi(command.api);
        return { command, result: null };
    }
  };
  const states = await runHistory(messageModel, history, run);
  await expectStored(organizationIds, states);
}

async function sendOnce(
  { to, text, key, encoding, isCut, api: index }: MessageCommand & { kind: 'send' },
  apiKey: string,
): Promise<MessageResult> {
  const headers: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key };
  if (isCut) {
    const { baseUrl } = apis[index];
    const request = fetch(`${baseUrl}/api/v1/messages`, {
      method: 'POST',
      headers: { ...headers, 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to, text }),
      // Somewhere between the connection and the response: which place a cut meets depends on the machine.
      signal: AbortSignal.timeout(text.length % 2 === 0 ? 3 : 6),
    });
    await request.then((response) => response.body?.cancel()).catch(() => undefined);
    return null;
  }
  const answer = await apis[index].call('POST', '/api/v1/messages', {
    ...{ key: apiKey, headers },
    [encoding]: { to, text },
  });
  return {
    status: answer.status,
    ...(answer.status === 202
      ? {
          ...{ id: answer.body.id, messageStatus: answer.body.status },
          isReplay: answer.headers.get('idempotency-replayed') === 'true',
        }
      : { code: answer.body.code }),
  };
}

async function read({ id, api: index }: { id: string; api: 0 | 1 }, key: string): Promise<MessageResult> {
  const { status, body } = await apis[index].call('GET', `/api/v1/messages/${id}`, { key });
  return { status, messageStatus: body.status, errorCode: body.errorCode };
}

async function report({
  id,
  api: index,
  value,
}: {
  id: string;
  api: 0 | 1;
  value: string;
}): Promise<MessageResult> {
  const query = new URLSearchParams({ token: gatewayToken, messageId: id, status: value });
  const { status } = await apis[index].call('GET', `/api/v1/gateway/dlr?${query.toString()}`);
  return { status };
}

/** The work of the workflows of these organizations' dispatches. */
async function carry(organizationIds: string[]): Promise<void> {
  await until('the messages to be assigned', async () => {
    const open = await db.query(
      `select from messages where organization_id = any(string_to_array(?, ',')::uuid[]) and dispatch_id is null limit 1`,
      [organizationIds.join()],
    );
    return open.length === 0;
  });
  await engine.carryDispatches(organizationIds);
}

/** What is stored is what one of the states of the model says, message by message. */
async function expectStored(organizationIds: string[], states: MessageState[]): Promise<void> {
  const rows = await db.query<{ id: string; status: string; last: string | null }>(
    `select id, status, (
        select status from message_events where message_id = messages.id and status is not null order by id desc limit 1
      ) as last
      from messages where organization_id = any(string_to_array(?, ',')::uuid[])`,
    [organizationIds.join()],
  );
  const isIn = ({ messages, unnamed }: MessageState): boolean =>
    rows.length >= Object.keys(messages).length &&
    rows.length <= Object.keys(messages).length + unnamed &&
    Object.keys(messages).every((id) => rows.some((row) => row.id === id)) &&
    rows.every(({ id, status }) => !messages[id] || messages[id].phases.map(statusOf).includes(status));
  if (!states.some(isIn))
    throw new Error(`Stored is ${JSON.stringify(rows)}, but the model is in ${JSON.stringify(states)}.`);
  // The timeline of a message ends with its status.
  for (const { id, status, last } of rows)
    expect({ id, last: last ?? 'queued' }).toEqual({ id, last: status });
}

test('one client: each answer is that of the model, and what is stored at the end', async () => {
  const command = fc.oneof(...anytime, work);
  await checkHistories(histories(command, { longest: 14, isParallel: false }), 40, live);
}, 300_000);

test('two clients at once: the answers are those of the model in some order', async () => {
  const command = fc.oneof(...anytime);
  await checkHistories(histories(command, { longest: 4, isParallel: true }), 40, live);
}, 300_000);

test('workers and APIs that die, and connections that break: the model still explains everything', async () => {
  const command = fc.oneof(...anytime, work, ...disasters);
  await checkHistories(histories(command, { longest: 12, isParallel: false }), 40, live);
}, 300_000);
