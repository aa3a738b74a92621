import { randomBytes } from 'node:crypto';
import { startWebhookReceiver, type WebhookReceiver } from '../../bench/webhook-receiver.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { startOtlpReceiver, type ExportedSpan, type OtlpReceiver } from '../helpers/otlp-receiver.ts';
import { until } from '../helpers/until.ts';

/** None of these may be in a trace. */
const planted = {
  national: '911835746',
  text: 'Planted-words-of-a-person',
  secret: 'planted-webhook-secret-4711',
  inUrl: 'planted-key-in-a-url',
  inMetadata: 'planted-metadata',
  collectorToken: 'planted-token-of-the-collector',
};

let service: BlackBox;
let receiver: WebhookReceiver;
let collector: OtlpReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  collector = await startOtlpReceiver();
  service = await startBlackBox({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${planted.collectorToken}`,
  });
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await collector?.stop();
}, 60_000);

type Encoding = 'json' | 'form' | 'multipart';

/** Sends a message with a webhook and returns its id. */
async function send(traceparent: string | undefined, encoding: Encoding = 'json'): Promise<string> {
  const to = `0${planted.national}`;
  const url = `${receiver.baseUrl}/hook?key=${planted.inUrl}`;
  const fields = { to, text: planted.text, 'webhook[url]': url, 'webhook[secret]': planted.secret };
  const multipart = new FormData();
  Object.entries(fields).forEach(([name, value]) => multipart.set(name, value));
  const bodies = {
    json: JSON.stringify({
      ...{ to, text: planted.text, webhook: { url, secret: planted.secret } },
      metadata: { note: planted.inMetadata },
    }),
    form: new URLSearchParams(fields),
    multipart,
  };
  const response = await fetch(`${service.demo.baseUrl}/api/v1/messages`, {
    method: 'POST',
    headers: {
      'X-API-Key': service.demo.testApiKey,
      ...(encoding === 'json' && { 'Content-Type': 'application/json' }),
      ...(traceparent !== undefined && { traceparent }),
    },
    body: bodies[encoding],
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

const events = ['message.accepted', 'message.sent', 'message.delivered'];

/** Waits for the three webhooks of a message, and returns them by event. */
async function webhooksOf(id: string): Promise<Map<string, Record<string, unknown>>> {
  await until('the webhooks', () => receiver.receivedOf(id).length >= events.length);
  return new Map(receiver.receivedOf(id).map(({ envelope, headers }) => [envelope.event, headers]));
}

/** Waits until a span with this name that fulfils the condition is exported. */
function spanOf(name: string, matches: (span: ExportedSpan) => boolean): Promise<ExportedSpan> {
  return until(`the span ${name}`, () =>
    collector.spans().find((span) => span.name === name && matches(span)),
  );
}

function newCaller(): { traceId: string; spanId: string; traceparent: string } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

test('the trace of a message has its request, submission and webhooks; links lead to what it shares with others', async () => {
  const caller = newCaller();
  const id = await send(caller.traceparent);
  await webhooksOf(id);

  const request = await spanOf('sendMessage', ({ traceId }) => traceId === caller.traceId);
  expect(request).toMatchObject({ service: 'sms-api', kind: 2, parentSpanId: caller.spanId });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v1/messages',
    'http.response.status_code': 202,
    'sms.request.id': expect.any(String),
  });
  const isLinked = ({ links }: ExportedSpan): boolean => links.includes(request.spanId);
  await spanOf('store messages', isLinked);

  const isKind = (kind: string) => (span: ExportedSpan) =>
    isLinked(span) && span.attributes['sms.dispatch.kind'] === kind;
  const dispatch = await spanOf('start dispatch', isKind('messages'));
  const activity = await spanOf('submitDue', ({ parentSpanId }) => parentSpanId === dispatch.spanId);
  expect(activity).toMatchObject({
    service: 'sms-worker',
    traceId: dispatch.traceId,
    attributes: { 'sms.workflow.id': `messages/${id}`, 'sms.activity.attempt': 1 },
  });

  const submission = await spanOf('submit message', ({ parentSpanId }) => parentSpanId === request.spanId);
  expect(submission).toMatchObject({ traceId: caller.traceId, kind: 3, links: [activity.spanId] });
  expect(submission.attributes).toEqual({
    ...{ 'sms.message.id': id, 'sms.environment': 'test', 'sms.attempt': 1, 'sms.outcome': 'accepted' },
  });

  const applied = await spanOf('apply reports', isLinked);
  await spanOf('receiveDeliveryReport', ({ spanId }) => applied.links.includes(spanId));

  const webhookDispatch = await spanOf('start dispatch', isKind('webhooks'));
  await spanOf('attemptDue', ({ parentSpanId }) => parentSpanId === webhookDispatch.spanId);
  for (const event of events) {
    const attempt = await spanOf(`webhook ${event}`, ({ traceId }) => traceId === caller.traceId);
    expect(attempt).toMatchObject({ kind: 3, parentSpanId: request.spanId });
    expect(attempt.attributes).toEqual({
      ...{ 'http.request.method': 'POST', 'http.response.status_code': 200 },
      ...{ 'sms.message.id': id, 'sms.webhook.id': expect.any(String), 'sms.attempt': 1 },
    });
  }
}, 60_000);

test.each<Encoding>(['json', 'form', 'multipart'])(
  'a caller that sends %s with a traceparent receives its webhooks in its own trace',
  async (encoding) => {
    const caller = newCaller();
    for (const [event, headers] of await webhooksOf(await send(caller.traceparent, encoding))) {
      const attempt = await spanOf(`webhook ${event}`, ({ traceId }) => traceId === caller.traceId);
      expect(headers['traceparent']).toBe(`00-${caller.traceId}-${attempt.spanId}-01`);
    }
  },
  60_000,
);

test('a caller that does not record its trace has none of it exported, and still finds it in its webhooks', async () => {
  const { traceId, spanId } = newCaller();
  const webhooks = await webhooksOf(await send(`00-${traceId}-${spanId}-00`));
  for (const headers of webhooks.values())
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  const later = newCaller();
  await send(later.traceparent);
  await spanOf('sendMessage', (span) => span.traceId === later.traceId);
  expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([]);
}, 60_000);

test.each([undefined, 'nonsense', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`])(
  'a request with the traceparent %s begins a trace of its own, in which its webhooks are',
  async (traceparent) => {
    const id = await send(traceparent);
    const webhooks = await webhooksOf(id);
    const submission = await spanOf(
      'submit message',
      ({ attributes }) => attributes['sms.message.id'] === id,
    );
    const request = await spanOf('sendMessage', ({ spanId }) => spanId === submission.parentSpanId);
    expect(request.parentSpanId).toBe('');
    for (const headers of webhooks.values()) expect(headers['traceparent']).toContain(request.traceId);
  },
  60_000,
);

test('a message that no traced request stored begins a trace, with a link to the activity that submits it', async () => {
  const response = await fetch(`${service.demo.baseUrl}/api/v1/messages/schedule`, {
    method: 'POST',
    headers: { 'X-API-Key': service.demo.testApiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ to: `0${planted.national}`, text: planted.text },
      ...{ scheduleType: 'once', startsAt: new Date() },
    }),
  });
  expect(response.status).toBe(201);
  const submission = await spanOf('submit message', ({ parentSpanId }) => parentSpanId === '');
  const activity = await spanOf('submitDue', ({ spanId }) => submission.links.includes(spanId));
  expect(activity.traceId).not.toBe(submission.traceId);
  // The activity that stored the message is in the trace of the request that made the schedule.
  const request = await spanOf('scheduleMessage', ({ kind }) => kind === 2);
  await spanOf('runDueOccurrences', ({ parentSpanId }) => parentSpanId === request.spanId);
}, 60_000);

test('each export has the headers that the operator gives it', async () => {
  await until('an export', () => collector.spans().length > 0);
  expect(collector.authorizations()).toEqual([`Bearer ${planted.collectorToken}`]);
});

test('no number, text, secret, key, token, URL or metadata is in a trace', async () => {
  const refused = await service.post({ to: planted.national, text: planted.text, unknown: planted.text });
  expect(refused.status).toBe(400);
  const caller = newCaller();
  await webhooksOf(await send(caller.traceparent));
  await spanOf('webhook message.delivered', ({ traceId }) => traceId === caller.traceId);
  await spanOf('sendMessage', ({ attributes }) => attributes['http.response.status_code'] === 400);
  const { testApiKey, gatewayToken } = service.demo;
  const exported = collector.raw();
  const words = [...Object.values(planted), testApiKey, testApiKey.split('_').at(-1)!, gatewayToken];
  expect(words.filter((word) => exported.includes(word))).toEqual([]);
  expect(exported).not.toContain(receiver.baseUrl);
}, 60_000);

test('the traceparent that is stored with a message is not in its timeline', async () => {
  const caller = newCaller();
  const id = await send(caller.traceparent);
  const [queued] = await service.timeline([id]);
  expect(queued!.details['traceparent']).toContain(caller.traceId);
  const response = await fetch(`${service.demo.baseUrl}/api/v1/messages/${id}/timeline`, {
    headers: { 'X-API-Key': service.demo.testApiKey },
  });
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain(caller.traceId);
}, 60_000);
