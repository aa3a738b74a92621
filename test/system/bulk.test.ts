import { setTimeout as delay } from 'node:timers/promises';
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

// A short batch and three deaths by default; BULK_RECIPIENTS=20000 BULK_KILLS=10 asks for a long one and ten.
const recipients = Number(process.env['BULK_RECIPIENTS'] ?? 1500);
const kills = Number(process.env['BULK_KILLS'] ?? 3);
const timeoutMs = 300_000 + recipients * 20;

test(
  'a worker killed at random moments of a batch loses no recipient, and sends nobody a second text unmarked',
  async () => {
    const database = new Client({ connectionString: service.demo.databaseUrl });
    await database.connect();
    const { campaignId, contactListId } = await prepareBulk(service, database, recipients);
    await database.end();
    const { id } = await call('POST', '/api/v1/bulk-sms', {
      campaignId,
      contactListId,
      text: 'Selam {{firstName}}',
    });
    const polling = pollLedger(id);
    const killedAt: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const processId = await service.signal('worker', 'SIGKILL');
      killedAt.push(polling.submitted());
      await service.replaced('worker', processId);
      // Submissions go on before the next death, for a random while.
      const wanted = polling.submitted() + Math.ceil(Math.random() * (recipients / (kills + 2)));
      await until('some to be submitted', () => polling.submitted() >= wanted, 120_000);
    }
    await until('all to be delivered', () => polling.last()['delivered'] === recipients, timeoutMs - 120_000);
    await until(
      'the batch to be completed',
      async () => (await call('GET', `/api/v1/bulk-sms/${id}`)).status === 'completed',
      70_000,
    );
    const polls = await polling.stop();
    const rows = await service.query<{ message_id: string; doubts: number }>(
      `select message_id, (
       select count(*)::int from message_events where message_events.message_id = bulk_recipients.message_id
         and kind = 'submission_attempted' and (details->>'possibleDuplicate')::boolean
     ) as doubts
     from bulk_recipients where batch_id = $1`,
      [id],
    );
    expect(new Set(rows.map((row) => row.message_id)).size).toBe(recipients);
    let doubtful = 0;
    for (const { message_id: messageId, doubts } of rows) {
      const submissions = await service.countSubmissions(messageId);
      expect(submissions).toBeGreaterThanOrEqual(1);
      expect(submissions).toBeLessThanOrEqual(1 + doubts);
      doubtful += doubts;
    }
    process.stderr.write(
      `${polls} balanced ledgers; killed after ${killedAt.join(', ')} submissions; ${doubtful} submitted again in doubt\n`,
    );
  },
  timeoutMs,
);

/** Reads the ledger ten times a second; all fail once one did not balance, and `stop` tells how many did. */
function pollLedger(id: string): {
  last: () => Record<string, number>;
  submitted: () => number;
  stop: () => Promise<number>;
} {
  let [stopped, polls] = [false, 0];
  let last: Record<string, number> = { total: 0, queued: 0 };
  const polling = (async () => {
    while (!stopped) {
      const ledger = await ledgerOf(id);
      if (ledger) [last, polls] = [ledger, polls + 1];
      await delay(100);
    }
  })();
  let failure: Error | undefined;
  polling.catch((error: Error) => void (failure = error));
  const look = (): Record<string, number> => {
    if (failure) throw failure;
    return last;
  };
  return {
    last: look,
    submitted: () => look()['total']! - look()['queued']!,
    stop: async () => {
      stopped = true;
      await polling;
      return polls;
    },
  };
}
