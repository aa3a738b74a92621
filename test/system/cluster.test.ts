import { Client } from 'pg';
import { prepareBulk } from '../../bench/bulk.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../bench/webhook-receiver.ts';
import { locateTemporalServer } from '../../scripts/cluster/find-temporal-server.ts';
import { findPgBouncer } from '../../scripts/cluster/pgbouncer.ts';
import { startBalancer, type Balancer } from '../helpers/balancer.ts';
import { expectDelivered, startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { openStream } from '../helpers/event-stream.ts';
import { until } from '../helpers/until.ts';

const recipients = 300;
const singles = 60;
const webhookEvents = ['message.accepted', 'message.sent', 'message.delivered'];

let service: BlackBox;
let balancer: Balancer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const withTemporalOnPostgres = locateTemporalServer('.cache') !== undefined;
  const withPgBouncer = findPgBouncer() !== undefined;
  if (!withTemporalOnPostgres)
    console.warn(
      'Runs on the development server of Temporal: `npm run bench -- cluster` builds the real one.',
    );
  if (!withPgBouncer) console.warn('Runs without PgBouncer, which is not installed (Debian: pgbouncer).');
  receiver = await startWebhookReceiver();
  balancer = await startBalancer();
  service = await startBlackBox(
    { BASE_URL: balancer.url, SUBMISSION_DOUBT_SECONDS: '3', GATEWAY_TIMEOUT_SECONDS: '2' },
    { apis: 2, workers: 2, withPgBouncer, withTemporalOnPostgres },
  );
  balancer.serve(service.apiUrls);
}, 180_000);

afterAll(async () => {
  await service?.stop();
  await balancer?.stop();
  await receiver?.stop();
}, 60_000);

// Answers of several endpoints; openapi.yaml, not a type, says what they are.
// oxlint-disable-next-line typescript/no-explicit-any
async function call(baseUrl: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': service.demo.testApiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Signs in at one API. */
async function signIn(baseUrl: string): Promise<string> {
  const { ownerEmail: email, ownerPassword: password } = service.demo;
  return (await call(baseUrl, 'POST', '/api/auth/sign-in/email', { email, password })).token as string;
}

async function createBatch(baseUrl: string): Promise<string> {
  const database = new Client({ connectionString: service.demo.databaseUrl });
  await database.connect();
  const { campaignId, contactListId } = await prepareBulk(service, database, recipients);
  await database.end();
  const batch = { campaignId, contactListId, text: 'Selam {{firstName}}' };
  return (await call(baseUrl, 'POST', '/api/v1/bulk-sms', batch)).id as string;
}

/** The ids of messages with webhooks, every second one sent through each API. */
function sendSingles(): Promise<string[]> {
  const webhook = { url: receiver.baseUrl, secret: 'a-secret-of-16-chars-or-more' };
  const send = async (index: number): Promise<string> => {
    const message = { to: `09112000${String(index).padStart(2, '0')}`, text: 'Selam', webhook };
    return (await call(service.apiUrls[index % 2]!, 'POST', '/api/v1/messages', message)).id as string;
  };
  return Promise.all(Array.from({ length: singles }, (_one, index) => send(index)));
}

/** Fails if a message was submitted more often than its timeline explains. */
async function expectNoneTwiceUnmarked(ids: string[]): Promise<void> {
  const attempts = (await service.timeline(ids)).filter(({ kind }) => kind === 'submission_attempted');
  const attemptsOf = Map.groupBy(attempts, ({ messageId }) => messageId);
  for (const id of ids) {
    const doubts = attemptsOf.get(id)!.filter(({ details }) => details['possibleDuplicate'] === true);
    const submissions = await service.countSubmissions(id);
    expect(submissions).toBeGreaterThanOrEqual(1);
    expect(submissions).toBeLessThanOrEqual(1 + doubts.length);
  }
}

const eventsOf = (id: string): string[] => [
  // A webhook whose answer was lost with the worker comes again, with the same id.
  ...new Map(receiver.receivedOf(id).map(({ envelope }) => [envelope.id, envelope.event])).values(),
];

test('two APIs and two workers, one of them killed, deliver all messages and webhooks, and none twice unmarked', async () => {
  const [one, other] = service.apiUrls as [string, string];
  // A session of one API is valid at the other, and what happens at one shows in the streams of the other.
  const stream = await openStream({ baseUrl: other }, '/api/v1/notifications/stream', {
    session: await signIn(one),
  });
  const batchId = await createBatch(one);
  const sending = sendSingles();
  await until('submissions in progress', async () => {
    const [row] = await service.query<{ count: number }>(
      `select count(*)::int as count from message_events where kind = 'submission_answered'`,
    );
    return row!.count > 10;
  });
  const killed = await service.signal('worker', 'SIGKILL');
  const ids = await sending;

  await expectDelivered(service, ids, 120_000);
  const batch = await until(
    'the batch to be completed',
    async () => {
      const answer = await call(other, 'GET', `/api/v1/bulk-sms/${batchId}`);
      const { total, ...statuses } = answer.ledger as Record<string, number>;
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(total);
      return answer.status === 'completed' && statuses['delivered'] === total && answer;
    },
    120_000,
  );
  expect(batch.ledger).toMatchObject({ total: recipients, delivered: recipients });
  const completed = await until('the notice of the batch', () =>
    stream.events().find(({ data }) => data.kind === 'batch_completed'),
  );
  expect(completed.data).toMatchObject({ data: { bulkSmsId: batchId } });
  stream.close();

  await until('all webhooks', () => ids.every((id) => eventsOf(id).length === webhookEvents.length), 60_000);
  expect(ids.map(eventsOf)).toEqual(ids.map(() => webhookEvents));
  const bulk = await service.query<{ id: string }>(
    'select message_id as id from bulk_recipients where batch_id = $1',
    [batchId],
  );
  await expectNoneTwiceUnmarked([...ids, ...bulk.map(({ id }) => id)]);
  await service.replaced('worker', killed);
}, 300_000);
