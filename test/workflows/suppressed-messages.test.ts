import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await (await createTenant(service.db.database)).createKey();
}, 60_000);

afterAll(() => service.stop());

beforeEach(() => service.syncClock());

const webhook = { url: 'http://127.0.0.1:1/', secret: 'a-secret-of-16-chars-or-more' };

async function send(to: string): Promise<string> {
  const { status, body } = await service.api.call('POST', '/api/v1/messages', {
    key,
    json: { to, text: 'Selam', webhook },
  });
  expect(status).toBe(202);
  return body.id as string;
}

const suppress = (phoneNumber: string) =>
  service.api.call('POST', '/api/v1/suppressions', { key, json: { phoneNumber } });

const read = async (id: string) => (await service.api.call('GET', `/api/v1/messages/${id}`, { key })).body;

async function kindsOf(id: string): Promise<string[]> {
  const { body } = await service.api.call('GET', `/api/v1/messages/${id}/timeline?limit=200`, { key });
  return body.data.map(({ kind }: { kind: string }) => kind);
}

const untilKind = (id: string, kind: string) =>
  until(`${kind} of the message`, async () => (await kindsOf(id)).includes(kind));

/** Waits until the message is final, skipping time in small steps. */
const finish = (id: string) =>
  until(
    'the end of the message',
    async () => {
      const message = await read(id);
      if (message.status === 'delivered' || message.status === 'failed') return message;
      await service.env.sleep('2 seconds');
      return false;
    },
    30_000,
  );

test('a message queued before its recipient opted out fails before it is submitted, and its webhook is told', async () => {
  await service.gatewayLine.cut();
  const id = await send('0911234567');
  await untilKind(id, 'submission_answered');
  await suppress('0911234567');
  await service.gatewayLine.restore();
  expect(await finish(id)).toMatchObject({
    status: 'failed',
    errorCode: 'recipient_opted_out',
    errorMessage: expect.any(String),
    acceptedAt: null,
  });
  expect(service.simulator.submissions(id)).toBe(0);
  expect(await kindsOf(id)).toContain('suppressed');
  const events = await service.db.query('select event from webhook_deliveries where message_id = ?', [id]);
  expect(events).toEqual([{ event: 'message.failed' }]);
}, 60_000);

test('a message that ignores the list is submitted all the same', async () => {
  await service.gatewayLine.cut();
  const id = await send('0911234568');
  await service.db.query('update messages set ignores_suppression = true where id = ?', [id]);
  await untilKind(id, 'submission_answered');
  await suppress('0911234568');
  await service.gatewayLine.restore();
  expect(await finish(id)).toMatchObject({ status: 'delivered', errorCode: null });
}, 60_000);

test('an attempt that is in doubt is not repeated once its recipient has opted out', async () => {
  const id = await send('+251900000014');
  await untilKind(id, 'submission_doubtful');
  await suppress('+251900000014');
  expect(await finish(id)).toMatchObject({ status: 'failed', errorCode: 'recipient_opted_out' });
  expect((await kindsOf(id)).filter((kind) => kind === 'submission_attempted')).toHaveLength(1);
}, 60_000);

test('what the gateway has already is not taken back', async () => {
  const id = await send('+251900000007');
  await untilKind(id, 'report_received');
  await suppress('+251900000007');
  expect(await read(id)).toMatchObject({ status: 'sent', errorCode: null });
}, 60_000);
