import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import { pino, type Logger } from 'pino';
import { bulkBatchWorkflow } from '../../src/bulk-sms/bulk-batch-workflow.ts';
import { createWorkflowCalls } from '../../src/dispatches/row-workflows.ts';
import { completeDispatches } from '../../src/dispatches/complete-dispatches.ts';
import { restartOverdueDispatches } from '../../src/dispatches/sweep.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { scheduleWorkflow } from '../../src/schedules/schedule-workflow.ts';
import { createTemporalClient } from '../../src/temporal.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { until } from '../helpers/until.ts';

// The race of a signal with the end of its workflow cannot be made to happen at a real server: this one gives the
// answers that a real one gives, over gRPC, to a real client.
let server: Http2Server;
let client: Client;
let log: Logger;
let refusal: { code: number; message: string };
let refused = 0;
const lines: { level: string | number; err?: unknown; msg: string }[] = [];

const unimplemented = 12;

beforeAll(async () => {
  server = createServer();
  server.on('stream', (stream, headers) => {
    const isSignal = /\/Signal(WithStart)?WorkflowExecution$/.test(String(headers[':path']));
    if (isSignal) refused += 1;
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': String(isSignal ? refusal.code : unimplemented),
        'grpc-message': isSignal ? refusal.message : 'not here',
      },
      { endStream: true },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = createTemporalClient({ address: `127.0.0.1:${port}`, namespace: 'default' });
  log = pino(
    { level: 'trace', formatters: { level: (level) => ({ level }) } },
    { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
});

afterAll(async () => {
  await client.connection.close();
  server.close();
});

beforeEach(() => {
  lines.length = 0;
  refused = 0;
});

const closing = { code: 8, message: 'workflow operation can not be applied because workflow is closing' };
const closed = { code: 5, message: 'workflow execution already completed' };
const busy = { code: 8, message: 'namespace rate limit exceeded' };
const broken = { code: 13, message: 'something failed' };

describe.each([
  { workflow: scheduleWorkflow, idField: 'scheduleId' },
  { workflow: bulkBatchWorkflow, idField: 'batchId' },
])('of the workflow of a $workflow.rowName', ({ workflow, idField }) => {
  test.each<[what: string, call: 'start' | 'signalChanged', answer: typeof refusal, level: string]>([
    ['a signal that finds its workflow closing', 'signalChanged', closing, 'debug'],
    ['a signal that finds its workflow closed', 'signalChanged', closed, 'debug'],
    ['a signal to a service that is asked too much', 'signalChanged', busy, 'warn'],
    ['a signal to a service that fails', 'signalChanged', broken, 'warn'],
    ['a start that finds a workflow closing', 'start', closing, 'debug'],
    ['a start at a service that is asked too much', 'start', busy, 'warn'],
    ['a start at a service that fails', 'start', broken, 'warn'],
  ])('%s (%s): how it is logged', async (_what, call, answer, level) => {
    refusal = answer;
    const workflows = createWorkflowCalls({ workflowClient: client.workflow, log }, workflow);
    if (call === 'start') workflows.start({ id: 'a-row', organizationId: 'an-organization' });
    else workflows.signalChanged('a-row');
    await until('the line in the log', () => Promise.resolve(lines.length > 0));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level, [idField]: 'a-row' });
    // A stack is for what someone has to look into.
    expect('err' in lines[0]!).toBe(level === 'warn');
  });
});

describe('of a dispatch whose rows are all final', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
  });

  afterAll(() => db.drop());

  async function insertDispatch(): Promise<string> {
    const id = randomUUID();
    await db.query(
      `insert into dispatches (id, kind, organization_ids, created_at, wake_at)
        values (?, 'messages', '{}', now(), now() + interval '1 hour')`,
      [id],
    );
    return id;
  }

  const readDispatch = async (id: string): Promise<{ settled: boolean; overdue: boolean }> => {
    const [row] = await db.query<{ settled: boolean; overdue: boolean }>(
      `select settled_at is not null as settled, wake_at <= now() + interval '1 millisecond' as overdue from dispatches where id = ?`,
      [id],
    );
    return row!;
  };

  const complete = (id: string): Promise<void> =>
    completeDispatches({ database: db.database, workflowClient: client.workflow, log }, messageRows, [id]);

  test.each<[what: string, answer: typeof refusal, levels: string[]]>([
    ['that finds its workflow closing', closing, []],
    ['that finds its workflow closed', closed, []],
    ['to a service that is asked too much', busy, ['warn']],
    ['to a service that fails', broken, ['warn']],
  ])('a signal %s: how it is logged, and whether the dispatch is settled', async (_what, answer, levels) => {
    refusal = answer;
    const id = await insertDispatch();
    await complete(id);
    expect(refused).toBe(1);
    expect(lines.map(({ level }) => level)).toEqual(levels);
    const isLost = levels.length > 0;
    expect(await readDispatch(id)).toEqual({ settled: !isLost, overdue: isLost });
  });

  test('the sweep repeats a signal that was lost, and settles the dispatch once it is taken', async () => {
    refusal = broken;
    const id = await insertDispatch();
    await complete(id);
    const sweep = () =>
      restartOverdueDispatches({ database: db.database, workflowClient: client.workflow, log }, messageRows);
    const makeOverdue = () =>
      db.query(`update dispatches set wake_at = now() - interval '11 seconds' where id = ?`, [id]);
    await makeOverdue();
    await sweep();
    expect({ refused, ...(await readDispatch(id)) }).toEqual({ refused: 2, settled: false, overdue: true });
    refusal = closed;
    await makeOverdue();
    await sweep();
    expect({ refused, ...(await readDispatch(id)) }).toMatchObject({ refused: 3, settled: true });
  });
});
