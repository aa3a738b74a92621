import { parse } from 'csv-parse/sync';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { exportMessages } from '../../src/analytics/export-messages.ts';
import { readReportRange } from '../../src/analytics/report-range.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});
beforeEach(async () => {
  tenant = await createTenant(db.database);
  await db.query(`update organizations set metadata = '{"timezone":"UTC"}' where id = ?`, [
    tenant.organizationId,
  ]);
  key = await tenant.createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Messages of one day, the first at noon, a millisecond apart; every third has failed. */
async function storeMany(count: number, textLength = 20, sender = tenant.sender): Promise<void> {
  await db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        error_code, error_message, metadata, created_at, valid_until)
      select uuidv7(at - clock_timestamp()),
        ?::uuid, 'live', ?, '+251911234567', repeat('x', ?), 'gsm7', 1, case when n % 3 = 0 then 'failed' else 'delivered' end,
        case when n % 3 = 0 then 'undelivered' end, case when n % 3 = 0 then 'It failed.' end, '{}', at, at
      from (select n, timestamptz '2026-05-05 12:00:00Z' + n * interval '1 ms' as at from generate_series(1, ?::int) n) made`,
    [tenant.organizationId, sender, textLength, count],
  );
}

const day = 'from=2026-05-05&to=2026-05-05';

async function exported(query: string): Promise<Record<string, string>[]> {
  const { status, headers, body } = await api.call('GET', `/api/v1/analytics/export?${query}`, { key });
  expect({ status, body: status === 200 ? '' : body }).toEqual({ status: 200, body: '' });
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return parse(body as string, { columns: true });
}

test('the messages of a day are each there once, newest first, however many pages they fill', async () => {
  await storeMany(2500);
  const lines = await exported(day);
  const stored = await db.query<{ id: string }>(
    'select id from messages where organization_id = ? order by id desc',
    [tenant.organizationId],
  );
  expect(lines.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
});

test('a message has all its fields, and a text that a spreadsheet would run is made harmless', async () => {
  const text = '=HYPERLINK("http://x","a,b")\r\nsecond line';
  const metadata = { order: 'A-1', lines: [1, '"'] };
  const sent = await api.call('POST', '/api/v1/messages', {
    key,
    json: { to: '0911234567', text, metadata },
  });
  const [line, ...others] = await exported('');
  expect(others).toEqual([]);
  const { id, createdAt } = sent.body;
  expect(line).toEqual({
    ...{
      id,
      environment: 'live',
      from: tenant.sender,
      to: '+251911234567',
      status: 'queued',
      text: `'${text}`,
    },
    ...{
      segments: '1',
      errorCode: '',
      errorMessage: '',
      providerMessageId: '',
      metadata: JSON.stringify(metadata),
    },
    ...{ createdAt, acceptedAt: '', sentAt: '', deliveredAt: '', failedAt: '' },
  });
});

test('the file has a byte order mark, a name, and ends its lines as RFC 4180 says', async () => {
  await storeMany(1);
  const response = await fetch(`${api.baseUrl}/api/v1/analytics/export?${day}`, {
    headers: { 'X-API-Key': key },
  });
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename=messages-2026-05-05-2026-05-05.csv',
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.toString().match(/\r\n/g)).toHaveLength(2);
});

test('status and sender filter the messages', async () => {
  await storeMany(9);
  await db.query(
    `update messages set sender = 'OTHER' where organization_id = ? and created_at > '2026-05-05 12:00:00.006Z'`,
    [tenant.organizationId],
  );
  const count = async (query: string): Promise<number> => (await exported(`${day}&${query}`)).length;
  expect(await count('status=failed')).toBe(3);
  expect(await count('status=queued')).toBe(0);
  expect(await count('sender=OTHER')).toBe(3);
  expect(await count('sender=OTHER&status=failed')).toBe(1);
  expect(await count('sender=other')).toBe(0);
  await db.query(
    `update messages set sender = '+251911000111' where organization_id = ? and sender = 'OTHER'`,
    [tenant.organizationId],
  );
  expect(await count('sender=0911000111')).toBe(3);
});

test('status filters the reports that count, too', async () => {
  await storeMany(9);
  const counted = async (report: string, query: string) => {
    const lines = await exported(`${day}&report=${report}&${query}`);
    return lines.map((line) => [line['messages'], line['segments'], line['delivered'], line['failed']]);
  };
  expect(await counted('daily', 'status=failed')).toEqual([['3', '', '0', '3']]);
  expect(await counted('daily', 'status=queued')).toEqual([['0', '', '0', '0']]);
  expect(await counted('senders', 'status=delivered')).toEqual([['6', '', '6', '0']]);
  expect(await counted('senders', 'status=queued')).toEqual([]);
  expect(await counted('campaigns', 'status=failed')).toEqual([]);
  const [line] = await exported(`${day}&report=senders&status=failed`);
  expect(line).toMatchObject({ deliveryRate: '0', medianDeliveryMs: '', p95DeliveryMs: '' });
});

test('the audit log tells of messages that leave, not whose they are; of counts it tells nothing', async () => {
  const other = await createTenant(db.database);
  const otherKey = await other.createKey();
  for (const query of ['sender=ACME', 'report=daily&sender=ACME']) {
    const answer = await api.call('GET', `/api/v1/analytics/export?${day}&${query}`, { key: otherKey });
    expect(answer.status).toBe(200);
  }
  const events = await db.query('select action, details from audit_events where organization_id = ?', [
    other.organizationId,
  ]);
  expect(events).toEqual([
    { action: 'messages.exported', details: { from: '2026-05-05', to: '2026-05-05', filters: ['sender'] } },
  ]);
});

test.each(['daily', 'senders', 'campaigns'] as const)(
  'the report %s has a column for each field of the overview, and a line for each of its lines',
  async (report) => {
    await storeMany(9);
    await db.query(
      `update messages set delivered_at = created_at + interval '3 s' where status = 'delivered' and organization_id = ?`,
      [tenant.organizationId],
    );
    const query = 'from=2026-05-04&to=2026-05-06';
    const { body } = await api.call('GET', `/api/v1/analytics?${query}`, { key });
    const rows = body[report] as Record<string, string | number | null>[];
    expect(rows).toHaveLength({ daily: 3, senders: 1, campaigns: 0 }[report]);
    const asText = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
      ),
    );
    expect(await exported(`${query}&report=${report}`)).toEqual(asText);
    const ofNobody = await exported(`${query}&report=${report}&sender=NOBODY`);
    expect(ofNobody.map(({ messages }) => messages)).toEqual(report === 'daily' ? ['0', '0', '0'] : []);
  },
);

test('a message is exported with the day on which it was created, even if its id is of a moment before', async () => {
  const [before, at] = [Date.parse('2026-05-04T23:59:59.900Z'), '2026-05-05T00:00:00.050Z'];
  await db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status, metadata, created_at, valid_until)
      values (?, ?, 'live', 'ACME', '+251911234567', 'x', 'gsm7', 1, 'queued', '{}', ?, ?)`,
    [uuidv7({ msecs: before }), tenant.organizationId, at, at],
  );
  expect(await exported(day)).toHaveLength(1);
  expect(await exported('from=2026-05-04&to=2026-05-04')).toHaveLength(0);
});

/** What connections of the database do that are not idle, but for the one that asks. */
/** The connections that do something. `select 1` is the notice listener, which checks that its connection lives. */
async function busyConnections(observer: Client): Promise<unknown[]> {
  const { rows } = await observer.query(
    `select state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'
        and query <> 'select 1'`,
  );
  return rows;
}

async function observing<Result>(work: (observer: Client) => Promise<Result>): Promise<Result> {
  const observer = new Client({ connectionString: db.url });
  await observer.connect();
  try {
    return await work(observer);
  } finally {
    await observer.end();
  }
}

/** Tells how many transactions for organizations were begun from now on: each page of an export is one. */
function countTransactions(): { begun: () => number; stop: () => void } {
  const { em } = db.database;
  const fork = em.fork.bind(em);
  let begun = 0;
  em.fork = (options) => {
    begun += 1;
    return fork(options);
  };
  return { begun: () => begun, stop: () => void (em.fork = fork) };
}

test('nothing is held for a reader that is slow, and nothing more is read for one that has gone away', async () => {
  await storeMany(20_000, 1500);
  const pages = 20;
  const transactions = countTransactions();
  await observing(async (observer) => {
    const leaving = new AbortController();
    const response = await fetch(`${api.baseUrl}/api/v1/analytics/export?${day}`, {
      headers: { 'X-API-Key': key },
      signal: leaving.signal,
    });
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    // Thirty megabytes are more than the buffers between take, so the export soon waits for its reader.
    const waitsAt = await until(
      'the export to wait for its reader',
      async () => {
        const begun = transactions.begun();
        for (let look = 0; look < 10; look += 1) {
          if ((await busyConnections(observer)).length > 0 || transactions.begun() !== begun) return null;
        }
        return begun;
      },
      20_000,
    );
    expect(waitsAt).toBeGreaterThan(0);
    expect(waitsAt).toBeLessThan(pages);
    leaving.abort();
    await reader.read().catch(() => undefined);
    // While another reads all of it, the one that was left goes on no further than the page it may have begun.
    expect(await exported(day)).toHaveLength(20_000);
    expect(transactions.begun()).toBeLessThanOrEqual(waitsAt + 1 + (pages + 3));
    expect(await busyConnections(observer)).toEqual([]);
  });
  transactions.stop();
}, 60_000);

test('between two pages no transaction is open', async () => {
  await storeMany(2500);
  const principal = { organizationId: tenant.organizationId, visibleEnvironments: ['live'] } as never;
  const range = readReportRange({ from: '2026-05-05', to: '2026-05-05' }, 'UTC', new Date());
  const lines = exportMessages(db.database, principal, range, {});
  for (let line = 0; line < 1500; line += 1) await lines.next();
  expect(await observing(busyConnections)).toEqual([]);
  await lines.return(undefined);
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});
