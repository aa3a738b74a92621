import { Client } from 'pg';
import { prepareBulk } from '../../bench/bulk.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { until } from '../helpers/until.ts';

let service: BlackBox;

beforeAll(async () => {
  service = await startBlackBox({
    ...{ SUBMISSION_DOUBT_SECONDS: '3', GATEWAY_TIMEOUT_SECONDS: '2', BULK_RATE_PER_SECOND: '200' },
  });
}, 120_000);

afterAll(() => service.stop(), 60_000);

// Answers of several endpoints; openapi.yaml, not a type, says what they are.
// oxlint-disable-next-line typescript/no-explicit-any
async function call(method: string, path: string, body?: object): Promise<any> {
  const { baseUrl, testApiKey } = service.demo;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** Reads the batch, and holds it to the balance of its ledger; null while the API cannot answer. */
async function ledgerOf(id: string): Promise<Record<string, number> | null> {
  const batch = await call('GET', `/api/v1/bulk-sms/${id}`).catch(() => null);
  if (!batch?.ledger) return null;
  const { total, ...statuses } = batch.ledger as Record<string, number>;
  expect(Object.values(statuses).reduce((sum, one) => sum + one, 0)).toBe(total);
  return batch.ledger as Record<string, number>;
}

test('a worker killed three times in the middle of a batch loses no recipient, and sends nobody a second text unmarked', async () => {
  const recipients = 1500;
  const database = new Client({ connectionString: service.demo.databaseUrl });
  await database.connect();
  const { campaignId, contactListId } = await prepareBulk(service, database, recipients);
  await database.end();
  const { id } = await call('POST', '/api/v1/bulk-sms', {
    campaignId,
    contactListId,
    text: 'Selam {{firstName}}',
  });
  for (const share of [0.2, 0.45, 0.7]) {
    await until(
      'some to be made',
      async () => {
        const ledger = await ledgerOf(id);
        return ledger !== null && ledger['total']! > 0 && ledger['queued']! < recipients * (1 - share);
      },
      60_000,
    );
    const processId = await service.signal('worker', 'SIGKILL');
    await service.replaced('worker', processId);
  }
  await until('all to be delivered', async () => (await ledgerOf(id))?.['delivered'] === recipients, 170_000);
  await until(
    'the batch to be completed',
    async () => (await call('GET', `/api/v1/bulk-sms/${id}`)).status === 'completed',
    70_000,
  );
  const rows = await service.query<{ message_id: string; doubts: number }>(
    `select message_id, (
       select count(*)::int from message_events where message_events.message_id = bulk_recipients.message_id
         and kind = 'submission_attempted' and (details->>'possibleDuplicate')::boolean
     ) as doubts
     from bulk_recipients where batch_id = $1`,
    [id],
  );
  expect(new Set(rows.map((row) => row.message_id)).size).toBe(recipients);
  for (const { message_id: messageId, doubts } of rows) {
    const submissions = await service.countSubmissions(messageId);
    expect(submissions).toBeGreaterThanOrEqual(1);
    expect(submissions).toBeLessThanOrEqual(1 + doubts);
  }
}, 360_000);
