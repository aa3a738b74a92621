import { findFreePort } from '../../scripts/embedded/ports.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { kannelAnswers } from '../../src/gateway/kannel-answers.ts';
import { createDeliveryReportUrl, createGateway } from '../../src/gateway/kannel.ts';
import type { Gateway, SubmissionOutcome } from '../../src/gateway/kannel.ts';
import { magicRecipients } from '../../src/gateway/magic-recipients.ts';
import { startSimulator } from '../../src/gateway/simulator.ts';
import type { Simulator, SimulatorOptions } from '../../src/gateway/simulator.ts';
import { startCallbackReceiver, until } from '../helpers/kannel.ts';
import type { CallbackReceiver } from '../helpers/kannel.ts';

const ordinary = '+251911223344';
const text = 'a text nobody may log';
const LATE_MS = 100;

let receiver: CallbackReceiver;
let simulator: Simulator;
let gateway: Gateway;
let logged: unknown[];

beforeEach(async () => {
  receiver = await startCallbackReceiver();
  logged = [];
});

afterEach(async () => {
  await gateway?.close();
  await simulator?.stop();
  await receiver.stop();
});

async function start(options: Partial<SimulatorOptions> = {}): Promise<void> {
  const log = (...line: unknown[]) => void logged.push(line);
  simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    callbackBaseUrl: receiver.baseUrl,
    log: { info: log, warn: log },
    lateReportDelayMs: LATE_MS,
    ...options,
  });
  gateway = createGateway({
    url: simulator.url,
    username: 'tester',
    password: 'secret',
    deliveryReportUrl: createDeliveryReportUrl({ baseUrl: receiver.baseUrl, token: 't/ök%d' }),
    timeoutMs: 5_000,
    connections: 8,
  });
}

function submit(messageId: string, to: string): Promise<SubmissionOutcome> {
  return gateway.submit({ messageId, organizationId: 'acme', from: 'Acme', to, text, encoding: 'gsm7' });
}

const allReported = () =>
  until('all reports are delivered or lost', () => simulator.stats().pendingMessages === 0);

describe('magic recipients', () => {
  const accepted = { outcome: 'accepted', queued: false };
  const busy = { outcome: 'unavailable', reason: 'gateway_temporal_failure', httpStatus: 503 };
  const lost = { outcome: 'doubtful', reason: 'gateway_connection_lost' };
  const refused = {
    outcome: 'refused',
    errorCode: 'gateway_rejected',
    detail: 'receiver_denied',
    httpStatus: 400,
  };
  const noRoute = {
    outcome: 'refused',
    errorCode: 'not_routable',
    detail: 'no_route_to_receiver',
    httpStatus: 403,
  };

  /** Each submission's outcome, the reports after all of them, and how many submissions were taken. */
  const expected: Record<string, { outcomes: object[]; reports: string[]; taken: number }> = {
    delivered: { outcomes: [accepted], reports: ['8', '1'], taken: 1 },
    undelivered: { outcomes: [accepted], reports: ['8', '2'], taken: 1 },
    smsc_rejected: { outcomes: [accepted], reports: ['16'], taken: 1 },
    gateway_rejected: { outcomes: [refused, refused], reports: [], taken: 0 },
    not_routable: { outcomes: [noRoute, noRoute], reports: [], taken: 0 },
    no_report: { outcomes: [accepted], reports: [], taken: 1 },
    late_report: { outcomes: [accepted], reports: ['8', '1'], taken: 1 },
    duplicate_reports: { outcomes: [accepted], reports: ['8', '8', '1', '1'], taken: 1 },
    reports_out_of_order: { outcomes: [accepted], reports: ['1', '8'], taken: 1 },
    skipped_step: { outcomes: [accepted], reports: ['1'], taken: 1 },
    buffered: { outcomes: [accepted], reports: ['4', '8', '1'], taken: 1 },
    gateway_busy: { outcomes: [busy, busy, accepted], reports: ['8', '1'], taken: 1 },
    answer_lost_taken: { outcomes: [lost], reports: ['8', '1'], taken: 1 },
    answer_lost_not_taken: { outcomes: [lost, accepted], reports: ['8', '1'], taken: 1 },
    unknown_report: { outcomes: [accepted], reports: ['64', '8', '1'], taken: 1 },
  };

  test('each has a number of its own in the block +2519000000NN, and is tested here', () => {
    expect(magicRecipients.map(({ name }) => name).toSorted()).toEqual(Object.keys(expected).toSorted());
    const numbers = magicRecipients.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) expect(number).toMatch(/^\+2519000000\d\d$/);
  });

  test.each(magicRecipients.map(({ name, number }) => [name, number]))('%s (%s)', async (name, number) => {
    await start();
    const { outcomes, reports, taken } = expected[name]!;
    for (const outcome of outcomes) expect(await submit('m1', number)).toEqual(outcome);
    await allReported();
    expect(receiver.reportsOn('m1')).toEqual(reports);
    expect(simulator.submissions('m1')).toBe(outcomes.length);
    expect(simulator.stats()).toMatchObject({
      submissions: outcomes.length,
      taken,
      reportsDelivered: reports.length,
    });
  });

  test('the late report keeps its distance', async () => {
    await start();
    await submit('m1', magicRecipients.find(({ name }) => name === 'late_report')!.number);
    await allReported();
    const [sent, delivered] = receiver.callbacks;
    expect(delivered!.receivedAt - sent!.receivedAt).toBeGreaterThanOrEqual(LATE_MS - 5);
  });

  test('the longest text there is, 1,600 emoji or 20 KB of a URL, is taken', async () => {
    await start();
    const longest = {
      messageId: 'm1',
      organizationId: 'acme',
      from: 'Acme',
      to: ordinary,
      text: '😀'.repeat(1600),
      encoding: 'ucs2',
    } as const;
    expect(await gateway.submit(longest)).toEqual(accepted);
    await allReported();
    expect(receiver.reportsOn('m1')).toEqual(['8', '1']);
  });

  test('any other number is delivered', async () => {
    await start();
    expect(await submit('m1', ordinary)).toEqual(accepted);
    await allReported();
    expect(receiver.reportsOn('m1')).toEqual(['8', '1']);
  });
});

test("a report fills in Kannel's escapes and leaves the rest of the URL as it was", async () => {
  await start();
  await submit('m 1', ordinary);
  await allReported();
  const [report] = receiver.callbacks;
  expect(report!.path).toBe('/api/v1/gateway/dlr');
  expect(Object.fromEntries(report!.query)).toEqual({
    messageId: 'm 1',
    token: 't/ök%d',
    status: '8',
    smscId: 'simulator',
    providerMessageId: expect.stringMatching(/^[0-9a-f]{8}-1$/),
    to: ordinary,
  });
});

describe('a report that is not taken is repeated', () => {
  test.each([500, 503, 404])('answered with %d twice', async (status) => {
    await start({ retryDelaysMs: [1, 1, 1] });
    receiver.answer = () => (receiver.callbacks.length <= 2 ? status : 200);
    await submit('m1', ordinary);
    await allReported();
    expect(receiver.reportsOn('m1')).toEqual(['8', '8', '8', '1']);
    expect(simulator.stats()).toMatchObject({ reportsDelivered: 2, reportsLost: 0 });
  });

  test('while nothing listens, until the API is back', async () => {
    const { port } = receiver;
    await start({ retryDelaysMs: Array<number>(1_000).fill(10) });
    await receiver.stop();
    await submit('m1', ordinary);
    await submit('m2', ordinary);
    receiver = await startCallbackReceiver(port);
    await allReported();
    expect(receiver.reportsOn('m1')).toEqual(['8', '1']);
    expect(receiver.reportsOn('m2')).toEqual(['8', '1']);
  });

  test('and given up after the last attempt, with a warning that holds no number, text or URL', async () => {
    await start({ retryDelaysMs: [1, 1] });
    receiver.answer = () => 500;
    await submit('m1', ordinary);
    await allReported();
    expect(receiver.reportsOn('m1')).toEqual(['8', '8', '8', '1', '1', '1']);
    expect(simulator.stats()).toMatchObject({ reportsDelivered: 0, reportsLost: 2 });
    const lines = JSON.stringify(logged);
    expect(lines).toContain('check that the API runs');
    for (const secret of [ordinary, text, 'ök', 'm1']) expect(lines).not.toContain(secret);
  });
});

describe('it never calls any other host than the one it was configured with', () => {
  test.each([
    ['another host', () => 'http://127.0.0.2:9/api'],
    ['another port', () => 'http://127.0.0.1:9/api'],
    ['a longer port', () => `${receiver.baseUrl}0/api`],
    ['the base as a user name', () => `${receiver.baseUrl}@127.0.0.2/api`],
    ['the base as the beginning of a name', () => `${receiver.baseUrl}.example/api`],
    ['another scheme', () => receiver.baseUrl.replace('http', 'https')],
    ['no URL', () => 'nonsense'],
  ])('%s', async (_name, reportUrl) => {
    await start();
    const query = new URLSearchParams({
      ...{ username: 'a', password: 'b', from: 'Acme', to: ordinary, text, 'dlr-mask': '31' },
      'dlr-url': reportUrl(),
    });
    const response = await fetch(`${simulator.url}?${query.toString()}`);
    expect([response.status, await response.text()]).toEqual([400, 'DLR-URL field misformed, rejected']);
    expect(simulator.stats().taken).toBe(0);
  });
});

describe('its memory is bounded', () => {
  test('more messages with reports to come than its limit are answered as by a busy Kannel', async () => {
    await start({ pendingMessagesLimit: 2, lateReportDelayMs: 60_000 });
    const late = magicRecipients.find(({ name }) => name === 'late_report')!.number;
    const outcomes = [await submit('m1', late), await submit('m2', late), await submit('m3', late)];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'unavailable']);
  });

  test('the oldest submission counts are forgotten', async () => {
    await start({ countedMessagesLimit: 2 });
    for (const messageId of ['m1', 'm2', 'm3']) await submit(messageId, ordinary);
    expect(['m1', 'm2', 'm3'].map((messageId) => simulator.submissions(messageId))).toEqual([0, 1, 1]);
  });
});

test('over HTTP one can ask how often a message was submitted, and for the totals', async () => {
  const seen: unknown[] = [];
  await start({ onSubmission: (submission) => seen.push(submission) });
  await submit('m1', ordinary);
  await submit('m1', ordinary);
  await allReported();
  const origin = new URL(simulator.url).origin;
  const get = async (path: string): Promise<unknown> => (await fetch(origin + path)).json();
  expect(await get('/simulator/submissions?messageId=m1')).toEqual({ count: 2 });
  expect(await get('/simulator/submissions?messageId=m2')).toEqual({ count: 0 });
  expect(await get('/simulator/stats')).toEqual({
    ...{ submissions: 2, taken: 2, pendingMessages: 0, reportsDelivered: 4, reportsLost: 0 },
  });
  expect(seen).toEqual([
    { messageId: 'm1', count: 1, answer: 'accepted', text },
    { messageId: 'm1', count: 2, answer: 'accepted', text },
  ]);
});

test('given credentials, it refuses others as Kannel does', async () => {
  await start({ credentials: { username: 'tester', password: 'another' } });
  expect(await submit('m1', ordinary)).toEqual({
    ...{ outcome: 'unavailable', reason: 'gateway_authorization_failed', httpStatus: 403 },
  });
});

test('a POST is read as Kannel reads it: the text as body, the rest as X-Kannel headers', async () => {
  await start();
  const headers = {
    ...{ 'X-Kannel-Username': 'a', 'X-Kannel-Password': 'b', 'X-Kannel-From': 'Acme' },
    ...{ 'X-Kannel-To': ordinary, 'X-Kannel-DLR-Mask': '31' },
    'X-Kannel-DLR-URL': `${receiver.baseUrl}/dlr?messageId=m1&status=%d`,
  };
  const plain = { 'Content-Type': 'text/plain; charset=UTF-8', ...headers };
  const post = await fetch(simulator.url, { method: 'POST', headers: plain, body: 'ሰላም' });
  expect([post.status, await post.text()]).toEqual([202, kannelAnswers.accepted.body]);
  await allReported();
  expect(receiver.reportsOn('m1')).toEqual(['8', '1']);

  const form = await fetch(simulator.url, { method: 'POST', body: new URLSearchParams({ to: ordinary }) });
  expect([form.status, await form.text()]).toEqual([400, kannelAnswers.invalidContentType.body]);
});

test('stopping gives the reports that are due and does not wait for late ones', async () => {
  await start({ reportDelayMs: 20, lateReportDelayMs: 600_000 });
  await submit('m1', ordinary);
  await submit('m2', magicRecipients.find(({ name }) => name === 'late_report')!.number);
  await gateway.close();
  await simulator.stop();
  expect(receiver.reportsOn('m1')).toEqual(['8', '1']);
  expect(receiver.reportsOn('m2')).toEqual(['8']);
});

test('the process says when it is ready, and ends when its parent lets go of it', async () => {
  const child = fork(join(import.meta.dirname, '../../src/simulator.ts'), {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      BASE_URL: receiver.baseUrl,
      SIMULATOR_PORT: String(await findFreePort()),
      LOG_LEVEL: 'silent',
    },
  });
  expect((await once(child, 'message'))[0]).toBe('ready');
  const exited = once(child, 'exit');
  child.disconnect();
  expect(await exited).toEqual([0, null]);
});
