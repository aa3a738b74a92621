/**
 * A bulk batch and a small model of it: what its callers do, reports, and a worker that works and dies at any statement.
 * After each step the ledger is the one of the model, recipient by recipient.
 */
import * as fc from 'fast-check';
import { createDeliveryReportUrl, createGateway, type Gateway } from '../../src/gateway/kannel.ts';
import { gatewayToken, startTestApi, type TestApi } from '../helpers/api.ts';
import { startBulkEngine, type BulkEngine } from '../helpers/bulk-engine.ts';
import { makeBatch, makeSetting, numberOf } from '../helpers/bulk.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';
import { batchActions, bulkModel, type BulkCommand, type BulkResult } from './bulk-model.ts';
import { checkHistories, histories, runHistory, type History } from './linearize.ts';
import { reportValues } from './message-model.ts';
import { startScriptedGateway, type ScriptedGateway } from './scripted-gateway.ts';

let db: TestDatabase;
let api: TestApi;
let engine: BulkEngine;
let scripted: ScriptedGateway;
let gateway: Gateway;

/** The recipients are the contacts 1 to 8, and the gateway decides by the last digit: 6, 7 and 8 are not taken. */
const contacts = 8;
const optedOut = 2;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => engine?.now() ?? new Date() });
  scripted = await startScriptedGateway();
  gateway = createGateway({
    ...{ url: scripted.url, username: 'test', password: 'test', timeoutMs: 10_000, connections: 8 },
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: api.baseUrl, token: gatewayToken }),
  });
  engine = await startBulkEngine(api, db, {
    rates: { platform: 100_000, sender: 100_000 },
    wrapGateway: () => gateway,
  });
});

afterAll(async () => {
  await engine.stop();
  scripted.stop();
  await api.stop();
  await db.drop();
});

const act = fc.record({ kind: fc.constant('act' as const), action: fc.constantFrom(...batchActions) });
const report = fc.record({
  kind: fc.constant('report' as const),
  target: fc.nat(contacts - 1),
  value: fc.constantFrom(...reportValues),
});
const read = fc.constantFrom<BulkCommand>({ kind: 'read' }, { kind: 'list' });
const worker = (diesAfter: fc.Arbitrary<number | null>): fc.Arbitrary<BulkCommand> =>
  fc.record({ kind: fc.constantFrom('advance' as const, 'advance' as const, 'carry' as const), diesAfter });
const pass = fc.constant<BulkCommand>({ kind: 'pass' });

interface Setting {
  isScheduled: boolean;
  /** Whether the worker has made and submitted the messages before the history begins. */
  isSubmitted: boolean;
  history: History<BulkCommand>;
}

async function live({ isScheduled, isSubmitted, history }: Setting): Promise<void> {
  const { organizationId, createKey } = await createTenant(db.database);
  const key = await createKey({ environment: 'test' });
  const setting = await makeSetting(api, db, { organizationId, key }, contacts);
  await api.call('POST', '/api/v1/suppressions', {
    key,
    json: { organizationId, phoneNumber: numberOf(optedOut) },
  });
  const { id } = await makeBatch(api, setting, {
    text: 'Selam',
    ...(isScheduled && { scheduledAt: '2999-01-01T00:00:00Z' }),
  });
  const messages = async (): Promise<{ id: string; to: string; status: string }[]> =>
    (await api.call('GET', `/api/v1/bulk-sms/${id}/messages?pageSize=100`, { key })).body.data;
  const run = async (
    command: BulkCommand,
  ): Promise<{ command: BulkCommand; result: BulkResult } | undefined> => {
    switch (command.kind) {
      case 'act': {
        const { status, body } =
          command.action === 'cancel'
            ? await api.call('DELETE', `/api/v1/bulk-sms/${id}`, { key })
            : await api.call('PATCH', `/api/v1/bulk-sms/${id}/${command.action}`, {
                key,
                json: command.action === 'rate' ? { ratePerSecond: null } : {},
              });
        return { command, result: { status, code: body?.code } };
      }
      case 'read': {
        const { status, body } = await api.call('GET', `/api/v1/bulk-sms/${id}`, { key });
        const { total, ...counts } = body.ledger as Record<string, number>;
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
        return { command, result: { status, batch: body.status, ledger: body.ledger } };
      }
      case 'list':
        return {
          command,
          result: { status: 200, messages: (await messages()).map(({ to, status }) => [to, status]) },
        };
      case 'report': {
        const recipient = numberOf(command.target + 1);
        const [message] = await db.query<{ id: string }>(
          'select id from messages where bulk_batch_id = ? and recipient = ?',
          [id, recipient],
        );
        if (!message) return undefined;
        const query = new URLSearchParams({
          token: gatewayToken,
          messageId: message.id,
          status: command.value,
        });
        const { status } = await api.call('GET', `/api/v1/gateway/dlr?${query.toString()}`);
        return { command: { ...command, recipient }, result: { status } };
      }
      case 'advance':
      case 'carry':
        engine.dieAfter(command.diesAfter);
        await (
          command.kind === 'advance' ? engine.advance(id) : engine.carryDispatches([organizationId])
        ).catch((error: unknown) => {
          if (!engine.died()) throw error;
        });
        engine.dieAfter(null);
        return { command, result: { status: 200 } };
      case 'pass':
        engine.pass(70);
        return { command, result: { status: 200 } };
    }
  };
  const model = bulkModel({
    status: isScheduled ? 'scheduled' : 'pending',
    isFrozen: false,
    recipients: Array.from({ length: contacts }, (_, index) => ({
      to: numberOf(index + 1),
      isOptedOut: index + 1 === optedOut,
      phase: null,
      isInDoubt: false,
    })),
  });
  const isParallel = history.left.length > 0;
  const looks: BulkCommand[] = [{ kind: 'read' }, { kind: 'list' }];
  // A look after each command, unless two clients act: then at the end.
  const advance: BulkCommand = { kind: 'advance', diesAfter: null };
  const start: BulkCommand[] = isSubmitted ? [{ kind: 'act', action: 'start' }, advance, advance] : [];
  const begun = [...start, ...history.before];
  const before = isParallel ? begun : begun.flatMap((one) => [one, ...looks]);
  await runHistory(model, { ...history, before }, run);
  const [row] = await db.query<{ doubled: number }>(
    'select (count(*) - count(distinct recipient))::int as doubled from messages where bulk_batch_id = ?',
    [id],
  );
  expect(row).toEqual({ doubled: 0 });
}

const settings = (command: fc.Arbitrary<BulkCommand>, shape: { longest: number; isParallel: boolean }) =>
  fc.record({ isScheduled: fc.boolean(), isSubmitted: fc.boolean(), history: histories(command, shape) });

test('a batch and its ledger go through the states of the model', async () => {
  const command = fc.oneof(
    { weight: 3, arbitrary: act },
    { weight: 4, arbitrary: worker(fc.constant(null)) },
    { weight: 3, arbitrary: report },
    { weight: 1, arbitrary: pass },
  );
  await checkHistories(settings(command, { longest: 9, isParallel: false }), 20, live);
}, 300_000);

test('a worker may die at any statement: the ledger balances, and the model explains it', async () => {
  const diesAfter = fc.option(fc.nat(14), { nil: null });
  const command = fc.oneof(
    { weight: 1, arbitrary: act },
    { weight: 5, arbitrary: worker(diesAfter) },
    { weight: 2, arbitrary: report },
    { weight: 1, arbitrary: pass },
  );
  await checkHistories(settings(command, { longest: 8, isParallel: false }), 20, live);
}, 300_000);

test('two callers at once: each answer, and the ledger between them, are those of some order', async () => {
  const command = fc.oneof(
    { weight: 4, arbitrary: act },
    { weight: 2, arbitrary: report },
    { weight: 2, arbitrary: read },
  );
  await checkHistories(settings(command, { longest: 3, isParallel: true }), 20, live);
}, 300_000);
