import { v7 as uuidv7 } from 'uuid';
import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { groupByOrganizations } from '../../src/dispatches/start-dispatches.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { updateStatuses } from '../../src/messages/update-statuses.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { deliveryRows } from '../../src/webhooks/delivery-rows.ts';
import { redriveDeadDeliveries } from '../../src/webhooks/redrive-deliveries.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let tenant: Tenant;

beforeAll(async () => {
  db = await createTestDatabase();
  tenant = await createTenant(db.database);
});

afterAll(() => db.drop());

async function store(count: number): Promise<string[]> {
  const drafts = Array.from({ length: count }, () => ({
    id: uuidv7(),
    organizationId: tenant.organizationId,
    environment: 'live' as const,
    sender: null,
    recipient: '+251911234567',
    text: 'Selam',
    encoding: 'gsm7' as const,
    segments: 1,
    metadata: {},
    webhookUrl: 'https://example.com/',
    createdAt: new Date(),
    validUntil: new Date(Date.now() + 3_600_000),
  }));
  await storeMessages(sqlOf(db.database), drafts);
  return drafts.map(({ id }) => id);
}

test('a dispatch has the id of its first row and names its organizations', async () => {
  const ids = await store(3);
  expect(await assignRows(sqlOf(db.database), messageRows, ids)).toEqual({
    dispatchId: ids[0],
    organizationIds: [tenant.organizationId],
    rows: 3,
  });
  expect(await assignRows(sqlOf(db.database), messageRows, ids)).toBeNull();
});

test('assigned by many at once, each row belongs to one dispatch, and each dispatch has its own id', async () => {
  const ids = await store(200);
  const assignments = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      assignRows(sqlOf(db.database), messageRows, ids.slice(index * 5, index * 5 + 105)),
    ),
  );
  const made = assignments.filter((assignment) => assignment !== null);
  expect(new Set(made.map(({ dispatchId }) => dispatchId)).size).toBe(made.length);
  const rows = await db.query<{ dispatch_id: string; rows: string }>(
    'select dispatch_id, count(*) as rows from messages where id = any(?) group by 1',
    [`{${ids.join(',')}}`],
  );
  const assigned = new Map(rows.map(({ dispatch_id, rows: count }) => [dispatch_id, Number(count)]));
  for (const { dispatchId, rows: count } of made) expect(assigned.get(dispatchId)).toBe(count);
});

test('a row that joins after others were assigned makes a dispatch of its own: one that runs would not see it', async () => {
  const [first, second] = (await store(2)) as [string, string];
  await assignRows(sqlOf(db.database), messageRows, [first]);
  expect(await assignRows(sqlOf(db.database), messageRows, [first, second])).toMatchObject({
    dispatchId: second,
    rows: 1,
  });
});

test('of the events of a message only the first that was not attempted can be assigned', async () => {
  const [id] = (await store(1)) as [string];
  const { webhooks } = await updateStatuses(db.database, [
    {
      messageId: id,
      at: new Date(),
      transition: { kind: 'report', report: 'delivered', providerMessageId: null },
      event: { kind: 'report_received', details: {} },
    },
  ]);
  const ids = webhooks.map((webhook) => webhook.id);
  expect(ids).toHaveLength(3);
  expect(await assignRows(sqlOf(db.database), deliveryRows, ids)).toMatchObject({
    dispatchId: ids[0],
    rows: 1,
  });
  expect(await assignRows(sqlOf(db.database), deliveryRows, ids)).toBeNull();
  await db.query(`update webhook_deliveries set status = 'retrying' where id = ?`, [ids[0]]);
  expect(await assignRows(sqlOf(db.database), deliveryRows, ids)).toMatchObject({
    dispatchId: ids[1],
    rows: 1,
  });
});

describe('rows that are carried for the second time', () => {
  /** Deliveries that were carried by dispatches of their own ids, and redriven since. */
  async function storeRedriven(count: number): Promise<string[]> {
    const { webhooks } = await updateStatuses(
      db.database,
      (await store(count)).map((messageId) => ({
        messageId,
        at: new Date(),
        transition: { kind: 'accepted_by_gateway' },
        event: { kind: 'submission_answered', details: {} },
      })),
    );
    const ids = webhooks.map(({ id }) => id);
    for (const id of ids) await assignRows(sqlOf(db.database), deliveryRows, [id]);
    await db.query(`update webhook_deliveries set status = 'dead', attempts = 8 where id = any(?)`, [
      `{${ids.join(',')}}`,
    ]);
    const redrive = { ids, at: new Date(), environments: ['live'] };
    expect(await redriveDeadDeliveries(sqlOf(db.database), redrive)).toHaveLength(count);
    expect(await redriveDeadDeliveries(sqlOf(db.database), redrive)).toEqual([]);
    return ids;
  }

  test('get a dispatch with another id than the one that carried them before', async () => {
    const [id] = (await storeRedriven(1)) as [string];
    const assigned = await assignRows(sqlOf(db.database), deliveryRows, [id]);
    expect(assigned).toMatchObject({ rows: 1, organizationIds: [tenant.organizationId] });
    expect(assigned!.dispatchId).not.toBe(id);
    const rows = await db.query('select dispatch_id from webhook_deliveries where id = ?', [id]);
    expect(rows).toEqual([{ dispatch_id: assigned!.dispatchId }]);
  });

  test('give way to a row that is carried for the first time', async () => {
    const redriven = await storeRedriven(2);
    const { webhooks } = await updateStatuses(
      db.database,
      (await store(1)).map((messageId) => ({
        messageId,
        at: new Date(),
        transition: { kind: 'accepted_by_gateway' },
        event: { kind: 'submission_answered', details: {} },
      })),
    );
    const fresh = webhooks[0]!.id;
    expect(await assignRows(sqlOf(db.database), deliveryRows, [...redriven, fresh])).toMatchObject({
      dispatchId: fresh,
      rows: 3,
    });
  });

  test('assigned by API and sweep at once, belong to one dispatch each', async () => {
    const ids = await storeRedriven(40);
    const assignments = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        assignRows(sqlOf(db.database), deliveryRows, ids.slice(index * 2)),
      ),
    );
    const made = assignments.filter((assignment) => assignment !== null);
    expect(made.reduce((sum, { rows }) => sum + rows, 0)).toBe(40);
    expect(new Set(made.map(({ dispatchId }) => dispatchId)).size).toBe(made.length);
  });
});

test('no dispatch is of more organizations than a search attribute can name', () => {
  const rows = Array.from({ length: 200 }, (_, index) => ({
    id: `${index}`,
    organizationId: `org-${index % 100}`,
  }));
  const groups = groupByOrganizations(rows);
  expect(groups.flat()).toEqual(rows);
  for (const group of groups)
    expect(new Set(group.map(({ organizationId }) => organizationId)).size).toBeLessThanOrEqual(40);
});
