import { defaultPayloadConverter } from '@temporalio/common';
import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { makeSetting, readBatch } from '../helpers/bulk.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

const hourMs = 3_600_000;

let service: TestService;
let administrator: Person;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  administrator = await signUp(service.api);
  await makeAdministrator(service.db, administrator);
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.db.query('delete from sending_controls');
  tenant = await createTenant(service.db.database);
  key = await tenant.createKey();
  await service.syncClock();
});

async function change(json: object): Promise<void> {
  const path = `/api/v1/admin/organizations/${tenant.organizationId}/sending-controls`;
  expect((await administrator.call('PUT', path, { json: { held: false, ...json } })).status).toBe(200);
}

const countByStatus = async (): Promise<Record<string, number>> => {
  const rows = await service.db.query<{ status: string; messages: number }>(
    'select status, count(*)::int as messages from messages where organization_id = ? group by 1',
    [tenant.organizationId],
  );
  return Object.fromEntries(rows.map(({ status, messages }) => [status, messages]));
};

const untilDelivered = (messages: number) =>
  until(
    'the messages to be delivered',
    async () => {
      if ((await countByStatus())['delivered'] === messages) return true;
      await service.env.sleep('2 minutes');
      return false;
    },
    90_000,
  );

/** How many messages were submitted in each hour, oldest first. */
async function submittedByHour(): Promise<number[]> {
  const rows = await service.db.query<{ submitted: number }>(
    `select count(*)::int as submitted from message_events
      where organization_id = ? and kind = 'submission_attempted'
      group by date_trunc('hour', at, 'UTC') order by date_trunc('hour', at, 'UTC')`,
    [tenant.organizationId],
  );
  return rows.map(({ submitted }) => submitted);
}

/** The values that the workflows of the organization gave to WaitingFor. */
async function waitingReasons(): Promise<unknown[]> {
  const dispatches = await service.db.query<{ id: string }>(
    'select distinct dispatch_id as id from messages where organization_id = ?',
    [tenant.organizationId],
  );
  const histories = await Promise.all(
    dispatches.map(({ id }) => service.env.client.workflow.getHandle(`messages/${id}`).fetchHistory()),
  );
  return histories.flatMap(({ events }) =>
    (events ?? []).flatMap((event) => {
      const fields = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
      const value = fields?.['WaitingFor'];
      return value ? [defaultPayloadConverter.fromPayload(value)] : [];
    }),
  );
}

test('a bulk batch sends as many messages an hour as the cap allows, and loses none', async () => {
  await change({ messagesPerHour: 4 });
  const setting = await makeSetting(
    service.api,
    service.db,
    { organizationId: tenant.organizationId, key },
    10,
  );
  const { campaignId, contactListId, organizationId } = setting;
  const { status, body } = await service.api.call('POST', '/api/v1/bulk-sms', {
    key,
    json: { organizationId, campaignId, contactListId, text: 'Selam' },
  });
  expect(status).toBe(202);
  await untilDelivered(10);
  const submitted = await submittedByHour();
  expect(Math.max(...submitted)).toBeLessThanOrEqual(4);
  expect(submitted.length).toBeGreaterThanOrEqual(3);
  expect((await readBatch(service.api, setting, body.id as string)).status).toBe('completed');
});

test('a scheduled message waits at the cap, and a message that was accepted within it does not', async () => {
  // The schedule is due in the hour in which the single message has used the cap.
  const now = await service.env.currentTimeMs();
  await service.env.sleep(Math.ceil(now / hourMs) * hourMs + hourMs / 12 - now);
  await service.syncClock();
  await change({ messagesPerHour: 1 });
  const startsAt = new Date((await service.env.currentTimeMs()) + 10 * 60_000).toISOString();
  const scheduled = await service.api.call('POST', '/api/v1/messages/schedule', {
    key,
    json: { to: '0911234567', text: 'Selam', scheduleType: 'once', startsAt },
  });
  expect(scheduled.status).toBe(201);
  const single = { key, json: { to: '0911234568', text: 'Selam' } };
  expect((await service.api.call('POST', '/api/v1/messages', single)).status).toBe(202);
  await untilDelivered(1);
  await until('the scheduled message', async () => {
    await service.env.sleep('1 minute');
    return (await countByStatus())['queued'] === 1;
  });
  await service.env.sleep('10 minutes');
  expect(await countByStatus()).toEqual({ delivered: 1, queued: 1 });
  await untilDelivered(2);
  expect(await submittedByHour()).toEqual([1, 1]);
});

test('messages that were accepted before the cap was set are counted too', async () => {
  await change({ held: true, reason: 'Fraud' });
  for (let count = 0; count < 3; count += 1) {
    const json = { to: '0911234567', text: 'Selam' };
    expect((await service.api.call('POST', '/api/v1/messages', { key, json })).status).toBe(202);
  }
  await change({ messagesPerHour: 1 });
  await untilDelivered(3);
  expect(await submittedByHour()).toEqual([1, 1, 1]);
  expect(await waitingReasons()).toContain('a cap on sending is reached');
});

test('test messages of a batch never wait', async () => {
  await change({ messagesPerHour: 1 });
  const testKey = await tenant.createKey({ environment: 'test' });
  const { organizationId } = tenant;
  const setting = await makeSetting(service.api, service.db, { organizationId, key: testKey }, 5);
  const { campaignId, contactListId } = setting;
  const json = { organizationId, campaignId, contactListId, text: 'Selam' };
  expect((await service.api.call('POST', '/api/v1/bulk-sms', { key: testKey, json })).status).toBe(202);
  await untilDelivered(5);
  expect(Math.max(...(await submittedByHour()))).toBe(5);
});
