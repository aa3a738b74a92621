import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { magicRecipients, type MagicRecipient } from '../../src/gateway/magic-recipients.ts';
import { promisedIds, startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { startCarrier, type Carrier } from '../helpers/carrier.ts';
import { textOf } from '../helpers/history-text.ts';
import { until } from '../helpers/until.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../../bench/webhook-receiver.ts';

/** What a person could be known by; none of it may leave Postgres but to the gateway and the webhook. */
const planted = {
  nationalNumber: '911835746',
  text: 'Planted-words-of-a-person',
  amharicText: 'የተተከለ ምስጢር',
  secret: 'planted-webhook-secret-4711',
};

/** What only the operator has; none of it may be in the log, in an argument of a process or in a workflow. */
const operators = {
  gatewayPassword: 'planted-password-of-the-gateway',
  sealingKey: 'planted-key-of-at-least-32-characters',
};

/** The data of the webhook envelope: these fields and no others (specification section 2). */
const dataFields = [
  'createdAt',
  'deliveredAt',
  'errorCode',
  'errorMessage',
  'event',
  'failedAt',
  'from',
  'id',
  'organizationId',
  'providerMessageId',
  'segments',
  'sentAt',
  'status',
  'to',
];

let service: BlackBox;
let carrier: Carrier;
let receiver: WebhookReceiver;
let temporal: Client;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  carrier = await startCarrier();
  service = await startBlackBox({
    ...{ LOG_LEVEL: 'debug', SUBMISSION_DOUBT_SECONDS: '2', GATEWAY_URL: carrier.url },
    ...{ GATEWAY_PASSWORD: operators.gatewayPassword, SEALING_KEYS: `a:${operators.sealingKey}` },
  });
  temporal = new Client({ connection: await Connection.connect({ address: service.demo.temporalAddress }) });
}, 120_000);

afterAll(async () => {
  await temporal?.connection.close();
  await service?.stop();
  await receiver?.stop();
  await carrier?.stop();
}, 60_000);

function withWebhook(message: Record<string, unknown>, path = '/hook'): Record<string, unknown> {
  return { ...message, webhook: { url: `${receiver.baseUrl}${path}`, secret: planted.secret } };
}

async function send(message: Record<string, unknown>): Promise<string> {
  const [id] = promisedIds([await service.post(message)]);
  if (id === undefined) throw new Error('The message was not answered 202.');
  return id;
}

/** The current details of a workflow, which its metadata query answers. */
async function currentDetails(workflowId: string): Promise<string> {
  const metadata = await temporal.workflow
    .getHandle(workflowId)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

test('from the first POST after the start to the third signed webhook it takes less than 5 seconds', async () => {
  const answer = await service.post(withWebhook({ to: `0${planted.nationalNumber}`, text: planted.text }));
  if (!('message' in answer)) throw new Error(`The message was answered with ${answer.status}.`);
  const { id } = answer.message;
  expect(answer.message).toMatchObject({
    to: `+251${planted.nationalNumber}`,
    text: planted.text,
    status: 'queued',
    environment: 'test',
    acceptedAt: null,
    sentAt: null,
    deliveredAt: null,
    failedAt: null,
  });

  await until('the third webhook', () => receiver.receivedOf(id).length >= 3);

  const message = await service.get(id);
  expect(message).toMatchObject({ status: 'delivered', errorCode: null, errorMessage: null, failedAt: null });
  const { createdAt, acceptedAt, sentAt, deliveredAt } = message;
  const times = [createdAt, acceptedAt, sentAt, deliveredAt].map((time) => Date.parse(time!));
  expect(times).toEqual(times.toSorted((a, b) => a - b));

  const webhooks = receiver.receivedOf(id);
  expect(webhooks.map(({ envelope }) => envelope.event)).toEqual([
    'message.accepted',
    'message.sent',
    'message.delivered',
  ]);
  for (const webhook of webhooks) {
    const { headers, rawBody, receivedAtMs, envelope } = webhook;
    const { data } = envelope;
    expect(isSignedWith(planted.secret, webhook)).toBe(true);
    expect(isSignedWith('another-secret-of-16-characters', webhook)).toBe(false);
    expect(
      isSignedWith(planted.secret, { ...webhook, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) }),
    ).toBe(false);
    expect(headers['x-service-timestamp']).toMatch(/^\d{10}$/);
    expect(Math.abs(Number(headers['x-service-timestamp']) * 1000 - receivedAtMs)).toBeLessThan(5000);
    expect(headers['x-service-delivery']).toBe(envelope.id);
    expect(headers['x-service-event']).toBe(envelope.event);
    expect(Object.keys(envelope).toSorted()).toEqual(['createdAt', 'data', 'event', 'id']);
    expect(Object.keys(data).toSorted()).toEqual(dataFields);
    expect(data).toMatchObject({
      id,
      organizationId: service.demo.organizationId,
      event: envelope.event,
      status: envelope.event.replace('message.', ''),
      from: service.demo.sender,
      to: `+251${planted.nationalNumber}`,
      segments: 1,
      errorCode: null,
      errorMessage: null,
      createdAt,
      failedAt: null,
    });
  }
  // Each tells of the message as it stood at its own step.
  expect(webhooks.map(({ envelope: { data } }) => [data['sentAt'], data['deliveredAt']])).toEqual([
    [null, null],
    [sentAt, null],
    [sentAt, deliveredAt],
  ]);
  expect(webhooks[2]!.envelope.data['providerMessageId']).toBe(message.providerMessageId);
  expect(message.providerMessageId).toEqual(expect.any(String));
  expect(new Set(webhooks.map(({ envelope }) => envelope.id)).size).toBe(3);
}, 30_000);

test('an operator finds the workflow of a message by its id, and reads where it stands but nothing personal', async () => {
  const noReport = magicRecipients.find(({ name }) => name === 'no_report')!.number;
  const id = await send(withWebhook({ to: noReport, text: planted.text }));
  await until('the message to be accepted', async () => (await service.get(id)).status === 'accepted');
  const workflowId = `messages/${id}`;
  const details = await until('the details to name the message', async () => {
    const text = await currentDetails(workflowId);
    return text.includes(id) && text;
  });
  expect(details).toContain('accepted');

  const description = await temporal.workflow.getHandle(workflowId).describe();
  expect(description.status.name).toBe('RUNNING');
  expect(description.searchAttributes).toMatchObject({
    OrganizationIds: [service.demo.organizationId],
    Kind: ['messages'],
  });
  const summary = await description.staticSummary();
  expect(summary).toMatch(/messages/);
  for (const shown of [details, summary]) {
    expect(shown).not.toContain(noReport.slice(4));
    expect(shown).not.toContain(planted.text);
    expect(shown).not.toContain(planted.secret);
  }
}, 30_000);

const isQuick = ({ reports }: MagicRecipient): boolean => reports.every(({ late }) => late !== true);

/** The webhooks that lead to where a magic recipient ends. */
function eventsUntil({ ends: { status, errorCode } }: MagicRecipient): string[] {
  if (status === 'accepted') return ['message.accepted'];
  if (status === 'delivered') return ['message.accepted', 'message.sent', 'message.delivered'];
  if (errorCode === 'undelivered') return ['message.accepted', 'message.sent', 'message.failed'];
  if (errorCode === 'smsc_rejected') return ['message.accepted', 'message.failed'];
  if (errorCode === 'gateway_rejected' || errorCode === 'not_routable') return ['message.failed'];
  throw new Error(`The test does not know the webhooks of a message that ends ${status} (${errorCode}).`);
}

test('a schedule that is due at once is run by the worker, and its message delivered', async () => {
  const schedules = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${service.demo.baseUrl}/api/v1/${path}`, {
      method,
      headers: { 'X-API-Key': service.demo.testApiKey, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const made = await schedules('POST', 'messages/schedule', {
    to: `0${planted.nationalNumber}`,
    text: planted.text,
    scheduleType: 'once',
    startsAt: new Date(),
  });
  expect(made).toMatchObject({ status: 'active' });
  await until('the delivery', async () => {
    const { data } = await schedules('GET', 'message-schedules');
    return data[0].lastRuns[0]?.messageStatus === 'delivered';
  });
  expect(await currentDetails(`schedules/${made.id}`)).toContain('The schedule is completed.');
}, 30_000);

test('an operator sends failed messages once more by a filter, and reads in the Web UI how far it is', async () => {
  const { baseUrl, organizationId } = service.demo;
  const call = async (method: string, path: string, token?: string, json?: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(json && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      body: json && JSON.stringify(json),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const to = magicRecipients.find(({ ends }) => ends.errorCode === 'not_routable')!.number;
  const from = new Date().toISOString();
  const ids = await Promise.all(Array.from({ length: 5 }, () => send({ to, text: planted.text })));
  await until('all to fail', async () => (await service.countStatuses(ids))['failed'] === ids.length);

  const person = { name: 'Operator', email: 'operator@example.com', password: 'a password of the tests' };
  const { token } = (await call('POST', '/api/auth/sign-up/email', undefined, person)) as { token: string };
  await service.query(`update users set role = 'admin' where email = $1`, [person.email]);
  const filter = {
    from,
    to: new Date(Date.now() + 1).toISOString(),
    organizationId,
    errorCode: 'not_routable',
  };
  const { id } = await call('POST', '/api/v1/admin/messages/redrive', token, filter);
  const done = await until('the redrive to end', async () => {
    const redrive = await call('GET', `/api/v1/admin/redrives/${String(id)}`, token);
    return redrive['status'] === 'completed' && redrive;
  });
  expect(done).toMatchObject({ matched: 5, redriven: 5, skipped: {} });
  expect(await currentDetails(`redrives/${String(id)}`)).toContain('| redriven | 5 of at most 1000 |');

  const copies = await service.query<{ id: string; redriven_from: string }>(
    'select id, redriven_from from messages where redriven_from = any($1::uuid[])',
    [ids],
  );
  expect(copies.map((copy) => copy.redriven_from).toSorted()).toEqual(ids.toSorted());
  const again = copies.map((copy) => copy.id);
  await until('all to be sent once more', async () => (await service.countStatuses(again))['failed'] === 5);
});

test('every magic recipient ends as its table says, and its webhooks tell each step once and in order', async () => {
  const recipients = magicRecipients.filter(isQuick);
  const ids = await Promise.all(
    recipients.map(({ number }) => send(withWebhook({ to: number, text: planted.amharicText }))),
  );
  await until(
    'the last webhook and the last report of each',
    async () => {
      const timeline = await service.timeline(ids);
      return recipients.every((recipient, index) => {
        const id = ids[index]!;
        const reports = timeline.filter(
          (event) => event.messageId === id && event.kind === 'report_received',
        );
        return (
          receiver.receivedOf(id).length >= eventsUntil(recipient).length &&
          reports.length >= recipient.reports.length
        );
      });
    },
    40_000,
  );
  const stored = await service.query<{ messageId: string; event: string; status: string }>(
    `select message_id as "messageId", event, status from webhook_deliveries
     where message_id = any($1::uuid[]) order by message_id, position`,
    [ids],
  );
  const came: unknown[] = [];
  const expected: unknown[] = [];
  for (const [index, recipient] of recipients.entries()) {
    const id = ids[index]!;
    const { status, errorCode } = await service.get(id);
    const webhooks = receiver.receivedOf(id);
    came.push({
      name: recipient.name,
      ends: { status, errorCode },
      webhooks: webhooks.map(({ envelope }) => envelope.event),
      stored: stored.filter(({ messageId }) => messageId === id).map(({ event }) => event),
      told: webhooks.at(-1)!.envelope.data['errorCode'],
    });
    const errorExpected = recipient.ends.errorCode ?? null;
    expected.push({
      name: recipient.name,
      ends: { status: recipient.ends.status, errorCode: errorExpected },
      webhooks: eventsUntil(recipient),
      stored: eventsUntil(recipient),
      told: errorExpected,
    });
    expect(webhooks.every((webhook) => isSignedWith(planted.secret, webhook))).toBe(true);
  }
  expect(came).toEqual(expected);
}, 60_000);

/** Sends a live code, reads it as its recipient would, and lets it be guessed and verified. */
async function sendAndVerifyCode(): Promise<string> {
  const post = async (path: string, json: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${service.demo.baseUrl}/api/v1/security-codes/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': service.demo.liveApiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const to = `+251${planted.nationalNumber}`;
  const { verificationId, messageId } = await post('send', {
    to,
    code: { type: 'alphanumeric', length: 10 },
  });
  const text = await until('the code to arrive', () => carrier.textsTo(to)[0]);
  const code = text.replace('Your code is ', '');
  await until('its workflow to sleep', async () =>
    (await currentDetails(`security-codes/${String(verificationId)}`).catch(() => '')).includes('expires at'),
  );
  expect(await post('verify', { verificationId, code: 'WRONG12345' })).toMatchObject({ status: 'incorrect' });
  expect(await post('verify', { verificationId, code })).toMatchObject({ status: 'verified', valid: true });
  const message = await service.get(String(messageId), service.demo.liveApiKey);
  expect(message).toMatchObject({ text: 'Your code is ••••••••••', environment: 'live' });
  const workflow = temporal.workflow.getHandle(`security-codes/${String(verificationId)}`);
  await until('its workflow to end', async () => (await workflow.describe()).status.name === 'COMPLETED');
  return code;
}

describe('no number, text or secret', () => {
  /** Of ten letters and digits, so that it is found only where it was put. */
  let code: string;

  beforeAll(async () => {
    code = await sendAndVerifyCode();
  }, 30_000);

  /** Whatever else may put them there: requests that are refused, and a webhook that nobody answers. */
  beforeAll(async () => {
    const to = `0${planted.nationalNumber}`;
    await service.post({ to, text: planted.text, metadata: planted.text });
    await service.post({ to: `${to}-${planted.text}`.slice(0, 16), text: planted.text });
    await service.post({ to, text: planted.text, from: planted.text.slice(0, 20) });
    await service.post({
      to,
      text: planted.text,
      webhook: { url: `ftp://${planted.text}`, secret: planted.secret },
    });
    await service.post({ to, text: `${planted.text}\0` });
    await fetch(`${service.demo.baseUrl}/api/v1/messages`, {
      method: 'POST',
      headers: { 'X-API-Key': service.demo.testApiKey, 'Content-Type': 'application/json' },
      body: `{"to":"${to}","text":"${planted.text}`,
    });
    const unanswered = { url: `http://127.0.0.1:1/${planted.text}`, secret: planted.secret };
    const id = await send({ to, text: planted.text, webhook: unanswered });
    await until('the webhook to be attempted', async () => {
      const rows = await service.query(
        `select from webhook_deliveries where message_id = $1 and status = 'retrying'`,
        [id],
      );
      return rows.length > 0;
    });
  }, 30_000);

  const personal = Object.entries(planted);

  /** The secrets of the operator and of callers that the running service has. */
  async function readSecrets(): Promise<Record<string, string>> {
    const kept = (name: string) => readFile(join(service.dataDir, name), 'utf8').then((text) => text.trim());
    const { liveApiKey, testApiKey, gatewayToken, databaseUrl } = service.demo;
    return {
      ...operators,
      ...{ gatewayToken, password: new URL(databaseUrl).password },
      liveSecret: liveApiKey.split('_').at(-1)!,
      testSecret: testApiKey.split('_').at(-1)!,
      ...{ authSecret: await kept('auth-secret'), pepper: await kept('security-code-pepper') },
    };
  }
  const magicNumbers = magicRecipients.map(({ name, number }) => [name, number.slice(4)] as const);

  test('is in the history, the attributes or the details of any workflow', async () => {
    const seen: string[] = [];
    let workflows = 0;
    for await (const { workflowId, runId, raw } of temporal.workflow.list()) {
      workflows += 1;
      const handle = temporal.workflow.getHandle(workflowId, runId);
      seen.push(textOf(raw), textOf((await handle.describe()).raw), textOf(await handle.fetchHistory()));
      seen.push(await currentDetails(workflowId));
    }
    expect(workflows).toBeGreaterThan(10);
    const everything = seen.join('\n');
    // Proves that payloads were looked into: each workflow's input is its dispatch.
    expect(everything).toContain('"dispatchId"');
    expect(everything).toContain('verifySecurityCodes');
    const secrets = Object.entries(await readSecrets());
    for (const [name, value] of [...personal, ...magicNumbers, ...secrets, ['code', code] as const]) {
      expect({ name, found: everything.includes(value) }).toEqual({ name, found: false });
    }
  }, 60_000);

  test('is in the output of the service at LOG_LEVEL=debug, nor is a key or token but the demo key it shows', async () => {
    const output = service.output();
    expect(output).toContain('"process":"api"');
    expect(output).toContain('"process":"worker"');
    const { testSecret: _shown, ...hidden } = await readSecrets();
    const secrets = Object.entries(hidden);
    for (const [name, value] of [...personal, ...magicNumbers, ...secrets, ['code', code] as const]) {
      const line = output.split('\n').find((candidate) => candidate.includes(value));
      expect({ name, line }).toEqual({ name, line: undefined });
    }
  });

  test('is in the arguments of a process, which every user of the machine can read', async () => {
    const ids = (['api', 'worker', 'simulator'] as const).flatMap((part) => service.processIds(part));
    expect(ids.length).toBeGreaterThanOrEqual(3);
    const secrets = Object.values(await readSecrets());
    for (const id of ids) {
      const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(id)]);
      expect(stdout).toContain('src/');
      expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
    }
  });
});

test('the metrics of each process show what happened, and no number, text, secret or id', async () => {
  const id = await send(withWebhook({ to: `0${planted.nationalNumber}`, text: planted.text }));
  const { metricsUrls } = service.demo;
  expect(Object.keys(metricsUrls).toSorted()).toEqual(['api', 'simulator', 'worker']);
  const read = async (name: string): Promise<string> => {
    const response = await fetch(metricsUrls[name]!);
    expect(response.status).toBe(200);
    return response.text();
  };
  await until('the webhooks to be counted', async () =>
    /^sms_webhook_attempts_total\{outcome="delivered"\} [1-9]/m.test(await read('worker')),
  );
  const [api, worker, simulator] = await Promise.all(
    ['api', 'worker', 'simulator'].map(read),
  );
  expect(api).toMatch(
    /^sms_http_request_duration_seconds_count\{operation="sendMessage",status="202"\} [1-9]/m,
  );
  expect(api).toMatch(
    /^sms_http_request_duration_seconds_count\{operation="receiveDeliveryReport",status="200"\} /m,
  );
  expect(api).toMatch(/^sms_messages_reached_status_total\{status="delivered"\} [1-9]/m);
  expect(worker).toMatch(
    /^sms_gateway_submissions_total\{route="simulator",outcome="accepted",reason=""\} [1-9]/m,
  );
  expect(worker).toMatch(/^sms_oldest_due_seconds\{kind="messages"\} /m);
  expect(worker).toMatch(/^sms_part_up\{part="temporal"\} 1$/m);
  expect(worker).toMatch(/^temporal_activity_execution_latency_seconds_count/m);
  expect(simulator).toMatch(/^sms_simulator_messages\{state="taken"\} [1-9]/m);
  const words = [id, service.demo.organizationId, ...Object.values(planted)];
  for (const word of words) for (const text of [api, worker, simulator]) expect(text).not.toContain(word);
});
