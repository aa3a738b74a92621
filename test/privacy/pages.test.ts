import { v7 as uuidv7 } from 'uuid';
import { createNumberSealer } from '../../src/messages/sealer.ts';
import { createErasurePage } from '../../src/privacy/erasure-page.ts';
import { createRetentionPage } from '../../src/privacy/retention-page.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { searchDatabase } from '../helpers/search-database.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

/** A batch has up to a hundred thousand recipients, and an import as many rejected lines: no statement takes all. */

const number = '+251911837465';
const digits = number.slice(4);
const rowsPerPage = 10;
const numberSealer = createNumberSealer({ pepper: 'a'.repeat(32), previousPepper: undefined });

let db: TestDatabase;
let tenant: Tenant;

beforeAll(async () => {
  db = await createTestDatabase();
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
});

afterAll(() => db.drop());

/** Stores batches of 25, 0 and 7 recipients, of 60 days ago. All have the number in a field. */
async function storeBatches(): Promise<string[]> {
  const msecs = Date.now() - 60 * 24 * 3_600_000;
  const campaignId = uuidv7();
  await db.query(
    `insert into campaigns (id, organization_id, name, status, created_at, updated_at)
      values (?, ?, 'x', 'active', now(), now())`,
    [campaignId, tenant.organizationId],
  );
  const ids: string[] = [];
  for (const [index, recipients] of [25, 0, 7].entries()) {
    const id = uuidv7({ msecs: msecs + index });
    ids.push(id);
    await db.query(
      `insert into bulk_batches (id, organization_id, environment, campaign_id, contact_list_id, text, sender, status,
          created_by_kind, created_by_id, created_at)
        values (?, ?, 'live', ?, gen_random_uuid(), 'x', 'ACME', 'completed', 'user', gen_random_uuid(), now())`,
      [id, tenant.organizationId, campaignId],
    );
    await db.query(
      `insert into bulk_recipients (batch_id, position, organization_id, contact_id, recipient, fields)
        select ?, position, ?, gen_random_uuid(), '+2519220000' || lpad(position::text, 2, '0'), ?::jsonb
        from generate_series(1, ?) as position`,
      [
        id,
        tenant.organizationId,
        JSON.stringify({ lastName: `of 0${digits}`, firstName: 'Abebe' }),
        recipients,
      ],
    );
  }
  return ids;
}

async function storeErasure(): Promise<string> {
  const id = uuidv7();
  await db.query(
    `insert into erasures (id, organization_id, number_hash, sealed_number, status, requested_by, created_at)
      values (?, ?, '', decode(?, 'base64'), 'running', gen_random_uuid(), now())`,
    [id, tenant.organizationId, numberSealer.seal(id, number)],
  );
  return id;
}

/** How often each table was changed in a row by one transaction: the largest number of rows that share a version. */
async function mostChangedAtOnce(table: string): Promise<number> {
  const [found] = await db.query<{ rows: number }>(
    `select coalesce(max(rows), 0)::int as rows from (select count(*) as rows from ${table} group by xmin) versions`,
  );
  return found!.rows;
}

/**
 * Runs pages to the end. Every second one dies before its commit: the database ends its transaction at the update that
 * stores the progress.
 */
async function runWithCrashes(table: string, page: () => Promise<string | undefined>): Promise<number> {
  await db.query(`create or replace function die() returns trigger language plpgsql as $$
    begin raise exception 'The process died before the commit.'; end $$`);
  for (let pages = 1; ; pages += 1) {
    await db.query(`create trigger dies before update on ${table} for each row execute function die()`);
    await expect(page()).rejects.toThrow('The process died');
    await db.query(`drop trigger dies on ${table}`);
    if ((await page()) !== 'running') return pages;
  }
}

test('an erasure takes the recipients of a batch page by page, also after a crash in the middle of one', async () => {
  await storeBatches();
  const id = await storeErasure();
  const now = () => new Date();
  const page = createErasurePage({ database: db.database, numberSealer, now, rows: rowsPerPage });
  const pages = await runWithCrashes('erasures', async () => (await page(id))?.status);
  expect(pages).toBeGreaterThan(4);
  expect(await mostChangedAtOnce('bulk_recipients')).toBe(rowsPerPage);
  expect(await searchDatabase(db, [digits])).toEqual([]);
  const [erasure] = await db.query('select status, cursor, erased from erasures where id = ?', [id]);
  expect(erasure).toEqual({ status: 'completed', cursor: null, erased: { bulk_recipients: 32 } });
});

test('an erasure takes the rejected lines of an import page by page', async () => {
  const importId = uuidv7();
  await db.query(
    `insert into contact_imports (id, organization_id, status, size_bytes, delimiter, columns, next_byte, next_line,
        created_at, completed_at)
      values (?, ?, 'completed', 1, ',', ?::text[], 1, 1, now(), now())`,
    [importId, tenant.organizationId, `{phone,0${digits}}`],
  );
  await db.query(
    `insert into contact_import_rejects (import_id, line, organization_id, "column", code, message, cells)
      select ?, line, ?, ?, 'x', 'x', array[?, 'b'] from generate_series(2, 26) as line`,
    [importId, tenant.organizationId, `0${digits}`, number],
  );
  const id = await storeErasure();
  const now = () => new Date();
  const page = createErasurePage({ database: db.database, numberSealer, now, rows: rowsPerPage });
  await runWithCrashes('erasures', async () => (await page(id))?.status);
  expect(await mostChangedAtOnce('contact_import_rejects')).toBe(rowsPerPage);
  expect(await searchDatabase(db, [digits])).toEqual([]);
  const [erasure] = await db.query('select erased from erasures where id = ?', [id]);
  expect(erasure).toEqual({ erased: { contact_imports: 1, contact_import_rejects: 25 } });
});

test.each([
  ['keys and answers that have the number', (index: number) => (index % 2 === 0 ? digits : 'other')],
  ['only keys that have the number', () => digits],
])('an erasure takes the answers of requests page by page: %s', async (_name, nameOf) => {
  for (let index = 0; index < 25; index += 1) {
    await db.query(
      `insert into idempotency_keys (organization_id, environment, route, key, digest, status, body, created_at)
        values (?, 'live', 'POST /api/v1/messages', ?, '', 202, ?, now())`,
      [
        tenant.organizationId,
        `${nameOf(index)}-${index}`,
        JSON.stringify({ to: number, text: 'x', id: index }),
      ],
    );
  }
  const id = await storeErasure();
  const now = () => new Date();
  const page = createErasurePage({ database: db.database, numberSealer, now, rows: rowsPerPage });
  await runWithCrashes('erasures', async () => {
    const status = (await page(id))?.status;
    const [stored] = await db.query<{ cursor: string | null }>('select cursor from erasures where id = ?', [
      id,
    ]);
    expect(stored!.cursor ?? '').not.toContain(digits);
    return status;
  });
  expect(await mostChangedAtOnce('idempotency_keys')).toBeLessThanOrEqual(rowsPerPage);
  expect(await searchDatabase(db, [digits])).toEqual([]);
  expect(await db.query('select erased from erasures where id = ?', [id])).toEqual([
    { erased: { idempotency_keys: 25 } },
  ]);
  const left = await db.query('select body from idempotency_keys where organization_id = ?', [
    tenant.organizationId,
  ]);
  expect(left).toHaveLength(
    25 - Array.from({ length: 25 }, (_, index) => nameOf(index)).filter((name) => name === digits).length,
  );
});

test('an erasure waits for a message of the person that is not routed yet, and erases it where it is routed to', async () => {
  const [stored] = await db.query<{ id: string }>(
    `insert into inbound_messages (id, sender, recipient, text, deduplication_key, status, created_at)
      values (gen_random_uuid(), ?, '8080', 'Selam', 'held', 'processing', now()) returning id`,
    [number],
  );
  const id = await storeErasure();
  const now = () => new Date();
  const page = createErasurePage({ database: db.database, numberSealer, now });
  const runPages = async () => {
    for (;;) {
      const progress = await page(id);
      if (progress?.status !== 'running') return progress;
    }
  };
  expect(await runPages()).toMatchObject({ status: 'waiting', waitingFor: 'inbound_messages' });
  await db.query(`update inbound_messages set status = 'processed', organization_id = ? where id = ?`, [
    ...[tenant.organizationId, stored!.id],
  ]);
  expect(await runPages()).toMatchObject({ status: 'completed', counts: { inbound_messages: 1 } });
  expect(await searchDatabase(db, [digits])).toEqual([]);
});

test('retention takes the recipients of a batch page by page, also after a crash, and counts each once', async () => {
  await storeBatches();
  await db.query(
    `insert into retention_rules (id, organization_id, number_days, wake_at) values (?, ?, 30, now())`,
    [tenant.organizationId, tenant.organizationId],
  );
  const page = createRetentionPage({ database: db.database, now: () => new Date(), rows: rowsPerPage });
  const pages = await runWithCrashes(
    'retention_rules',
    async () => (await page(tenant.organizationId))?.status,
  );
  expect(pages).toBeGreaterThan(4);
  expect(await mostChangedAtOnce('bulk_recipients')).toBe(rowsPerPage);
  const [rest] = await db.query(
    `select count(*)::int as rows from bulk_recipients where organization_id = ? and (recipient not like '%*%' or fields is not null)`,
    [tenant.organizationId],
  );
  expect(rest).toEqual({ rows: 0 });
  const [rules] = await db.query('select message_numbers, cursor from retention_rules where id = ?', [
    tenant.organizationId,
  ]);
  expect(rules).toEqual({ message_numbers: 32, cursor: null });
});
