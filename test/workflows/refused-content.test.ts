import { makeBatch, makeSetting, readBatch } from '../helpers/bulk.ts';
import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
let administrator: Person;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await startTestService({ bulkRates: { platform: 2000, sender: 2000 } });
  administrator = await signUp(service.api);
  await makeAdministrator(service.db, administrator);
  tenant = await createTenant(service.db.database);
  key = await tenant.createKey();
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.db.query('delete from content_rules');
  await service.syncClock();
});

async function forbid(value: string): Promise<void> {
  const json = { kind: 'contains', values: [value], reason: 'Because.' };
  expect((await administrator.call('POST', '/api/v1/admin/content-rules', { json })).status).toBe(201);
}

const timelineOf = async (id: string): Promise<{ kind: string; errorCode?: string }[]> =>
  (await service.api.call('GET', `/api/v1/messages/${id}/timeline?limit=200`, { key })).body.data;

test('a message that waits fails once a rule refuses its text, with an entry on its timeline', async () => {
  await service.gatewayLine.cut();
  const json = { to: '0911234567', text: 'You won' };
  const { body } = await service.api.call('POST', '/api/v1/messages', { key, json });
  const id = body.id as string;
  await until('an attempt', async () =>
    (await timelineOf(id)).some(({ kind }) => kind === 'submission_answered'),
  );
  await forbid('won');
  await service.gatewayLine.restore();
  const failed = await until(
    'the end of the message',
    async () => {
      const message = (await service.api.call('GET', `/api/v1/messages/${id}`, { key })).body;
      if (message.status === 'failed' || message.status === 'delivered') return message;
      await service.env.sleep('10 seconds');
      return false;
    },
    60_000,
  );
  expect(failed).toMatchObject({ status: 'failed', errorCode: 'content_refused' });
  expect(await timelineOf(id)).toContainEqual(
    expect.objectContaining({ kind: 'refused', errorCode: 'content_refused' }),
  );
  expect(service.simulator.submissions(id)).toBe(0);
});

test('of a bulk batch, the recipients whose merged text a rule refuses fail, and the others get theirs', async () => {
  await forbid('Name2');
  const { organizationId } = tenant;
  const setting = await makeSetting(service.api, service.db, { organizationId, key }, 3);
  const { id } = await makeBatch(service.api, setting);
  await until(
    'the end of the batch',
    async () => {
      const { ledger } = await readBatch(service.api, setting, id);
      if (ledger.delivered + ledger.failed === 3) return true;
      await service.env.sleep('10 seconds');
      return false;
    },
    60_000,
  );
  expect(await readBatch(service.api, setting, id)).toMatchObject({
    ledger: { delivered: 2, failed: 1 },
  });
  const rows = await service.db.query(
    'select text, status, error_code from messages where bulk_batch_id = ? order by text',
    [id],
  );
  expect(rows).toEqual([
    { text: 'Selam Name1', status: 'delivered', error_code: null },
    { text: 'Selam Name2', status: 'failed', error_code: 'content_refused' },
    { text: 'Selam Name3', status: 'delivered', error_code: null },
  ]);
});
