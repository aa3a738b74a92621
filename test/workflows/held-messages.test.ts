import { makeAdministrator, signUp, type Person } from '../helpers/people.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
let administrator: Person;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  administrator = await signUp(service.api);
  await makeAdministrator(service.db, administrator);
  tenant = await createTenant(service.db.database);
  key = await tenant.createKey();
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.db.query('delete from sending_controls');
  await service.syncClock();
});

const platform = '/api/v1/admin/sending-controls';
const ofTenant = () => `/api/v1/admin/organizations/${tenant.organizationId}/sending-controls`;

async function change(path: string, json: object): Promise<void> {
  expect((await administrator.call('PUT', path, { json })).status).toBe(200);
}

async function send(to: string, withKey = key): Promise<string> {
  const { status, body } = await service.api.call('POST', '/api/v1/messages', {
    key: withKey,
    json: { to, text: 'Selam' },
  });
  expect(status).toBe(202);
  return body.id as string;
}

const read = async (id: string, withKey = key) =>
  (await service.api.call('GET', `/api/v1/messages/${id}`, { key: withKey })).body;

const untilFinal = (id: string, withKey = key) =>
  until(
    'the end of the message',
    async () => {
      const message = await read(id, withKey);
      if (message.status === 'delivered' || message.status === 'failed') return message;
      await service.env.sleep('10 seconds');
      return false;
    },
    60_000,
  );

/** Waits until a workflow has looked at the message and put it off. */
const untilHeld = (id: string) =>
  until('the message to be held', async () => {
    const [row] = await service.db.query<{ held: boolean }>(
      `select dispatch_id is not null and due_at > created_at + interval '5 seconds' as held
       from messages where id = ?`,
      [id],
    );
    return row!.held;
  });

test.each([
  ['the organization', ofTenant],
  ['the platform', () => platform],
])(
  'while %s is held, a live message is accepted and waits, and is sent after the release',
  async (_whose, path) => {
    await change(path(), { held: true, reason: 'Fraud' });
    const id = await send('0911234567');
    await untilHeld(id);
    await service.env.sleep('20 minutes');
    expect(await read(id)).toMatchObject({ status: 'queued' });
    expect(service.simulator.submissions(id)).toBe(0);

    await change(path(), { held: false });
    expect(await untilFinal(id)).toMatchObject({ status: 'delivered' });
    expect(service.simulator.submissions(id)).toBe(1);
  },
);

test('a hold of one organization does not hold another, nor test messages', async () => {
  const other = await createTenant(service.db.database);
  await change(ofTenant(), { held: true });
  const testKey = await tenant.createKey({ environment: 'test' });
  const ofTest = await send('0911234567', testKey);
  const otherKey = await other.createKey();
  const ofOther = await send('0911234567', otherKey);
  expect(await untilFinal(ofTest, testKey)).toMatchObject({ status: 'delivered' });
  expect(await untilFinal(ofOther, otherKey)).toMatchObject({ status: 'delivered' });
});

test('a message that is held for longer than its validity fails, and is never sent late', async () => {
  await change(ofTenant(), { held: true });
  const id = await send('0911234567');
  await untilHeld(id);
  await service.env.sleep('73 hours');
  expect(await untilFinal(id)).toMatchObject({ status: 'failed', errorCode: 'validity_expired' });
  expect(service.simulator.submissions(id)).toBe(0);
});

test('a message that waits fails once its destination is no longer allowed, with an entry on its timeline', async () => {
  await service.gatewayLine.cut();
  const id = await send('+254701234567');
  await until('an attempt', async () => (await kindsOf(id)).includes('submission_answered'));
  await change(ofTenant(), { held: false, destinations: ['+251'] });
  await service.gatewayLine.restore();
  expect(await untilFinal(id)).toMatchObject({ status: 'failed', errorCode: 'destination_not_allowed' });
  expect(await kindsOf(id)).toContain('refused');
  expect(service.simulator.submissions(id)).toBe(0);
});

async function kindsOf(id: string): Promise<string[]> {
  const { body } = await service.api.call('GET', `/api/v1/messages/${id}/timeline?limit=200`, { key });
  return body.data.map(({ kind }: { kind: string }) => kind);
}
