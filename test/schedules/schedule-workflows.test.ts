import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { createScheduleWorkflows, type ScheduleWorkflows } from '../../src/schedules/schedule-workflows.ts';
import { createTemporalClient } from '../../src/temporal.ts';
import { until } from '../helpers/until.ts';

// The race of a signal with the end of its workflow cannot be made to happen at a real server: this one gives the
// answers that a real one gives, over gRPC, to a real client.
let server: Http2Server;
let client: Client;
let workflows: ScheduleWorkflows;
let refusal: { code: number; message: string };
const lines: { level: string | number; scheduleId?: string; err?: unknown; msg: string }[] = [];

const unimplemented = 12;

beforeAll(async () => {
  server = createServer();
  server.on('stream', (stream, headers) => {
    const isSignal = /\/Signal(WithStart)?WorkflowExecution$/.test(String(headers[':path']));
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
  const log = pino(
    { level: 'trace', formatters: { level: (level) => ({ level }) } },
    { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  workflows = createScheduleWorkflows({ workflowClient: client.workflow, log });
});

afterAll(async () => {
  await client.connection.close();
  server.close();
});

beforeEach(() => {
  lines.length = 0;
});

const closing = { code: 8, message: 'workflow operation can not be applied because workflow is closing' };
const closed = { code: 5, message: 'workflow execution already completed' };
const busy = { code: 8, message: 'namespace rate limit exceeded' };
const broken = { code: 13, message: 'something failed' };

test.each<[what: string, call: 'start' | 'tellChanged', answer: typeof refusal, level: string]>([
  ['a signal that finds its workflow closing', 'tellChanged', closing, 'debug'],
  ['a signal that finds its workflow closed', 'tellChanged', closed, 'debug'],
  ['a signal to a service that is asked too much', 'tellChanged', busy, 'warn'],
  ['a signal to a service that fails', 'tellChanged', broken, 'warn'],
  ['a start that finds a workflow closing', 'start', closing, 'debug'],
  ['a start at a service that is asked too much', 'start', busy, 'warn'],
  ['a start at a service that fails', 'start', broken, 'warn'],
])('%s (%s): how it is logged', async (_what, call, answer, level) => {
  refusal = answer;
  if (call === 'start') workflows.start({ id: 'a-schedule', organizationId: 'an-organization' });
  else workflows.tellChanged('a-schedule');
  await until('the line in the log', () => Promise.resolve(lines.length > 0));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level, scheduleId: 'a-schedule' });
  // A stack is for what someone has to look into.
  expect('err' in lines[0]!).toBe(level === 'warn');
});
