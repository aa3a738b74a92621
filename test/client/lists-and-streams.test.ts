import { setTimeout as pause } from 'node:timers/promises';
import { SmsClient } from '../../client/src/index.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problem, startFaultProxy, type FaultProxy } from '../helpers/fault-proxy.ts';
import { eventFor, join, tell } from '../helpers/notifications.ts';
import { createOrganization, signUp, type Person } from '../helpers/people.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let faulty: FaultProxy;
let cuttable: TcpProxy;
let tenant: Tenant;
let sms: SmsClient;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  faulty = await startFaultProxy(api.baseUrl);
  cuttable = await startTcpProxy(api.baseUrl);
});

beforeEach(async () => {
  tenant = await createTenant(db.database);
  sms = new SmsClient({ baseUrl: faulty.baseUrl, apiKey: await tenant.createKey({ environment: 'test' }) });
  faulty.requests.splice(0);
});

afterAll(async () => {
  await cuttable.stop();
  await faulty.stop();
  await api.stop();
  await db.drop();
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('lists', () => {
  test('by cursor: every message once, newest first, although a page is lost on its way', async () => {
    const sent: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) {
      sent.push((await sms.messages.send({ to: '0911234567', text })).id);
    }
    faulty.faults.push('pass', 'half-answer', 'pass', problem(500, 'internal_error'));
    const listed = await all(sms.messages.list({ limit: 2 }));
    expect(listed.map(({ id }) => id)).toEqual(sent.toReversed());
    expect(listed.map(({ text }) => text)).toEqual(['5', '4', '3', '2', '1']);
  });

  test('by page, and the page that was asked for', async () => {
    const { organizationId } = tenant;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await sms.campaigns.create({ organizationId, name });
    const list = sms.campaigns.list({ pageSize: 2 });
    const names = (await all(list)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await list.page()).pagination).toEqual({ page: 1, pageSize: 2, total: 5, totalPages: 3 });
    expect((await all(sms.campaigns.list({ pageSize: 2, page: 3 }).pages())).map(({ data }) => data)).toEqual(
      [[expect.objectContaining({ name: names[4] })]],
    );
  });

  test('by offset', async () => {
    const [owner, ...others] = await Promise.all([signUp(api), signUp(api), signUp(api)]);
    const { organizationId } = await createOrganization(owner);
    for (const person of others) await join(db, person, organizationId);
    const { organizations } = new SmsClient({ baseUrl: faulty.baseUrl, token: owner.token });
    const members = await all(organizations.listMembers({ organizationId, limit: 2 }));
    expect(new Set(members.map(({ userId }) => userId))).toEqual(
      new Set([owner, ...others].map(({ userId }) => userId)),
    );
    expect(faulty.requests.filter(({ path }) => path.includes('list-members'))).toHaveLength(2);
  });

  test('a loop that ends early requests no further page, and an empty list ends at once', async () => {
    expect(await all(sms.messages.list())).toEqual([]);
    for (const text of ['1', '2', '3']) await sms.messages.send({ to: '0911234567', text });
    faulty.requests.splice(0);
    for await (const { text } of sms.messages.list({ limit: 1 })) if (text === '2') break;
    expect(faulty.requests).toHaveLength(2);
  });

  test('the timeline of a message is a list whose pages have more than their items', async () => {
    const { id } = await sms.messages.send({ to: '0911234567', text: 'Selam' });
    const timeline = sms.messages.timeline(id);
    expect((await all(timeline)).map(({ kind }) => kind)).toEqual(['queued']);
    expect(await timeline.page()).toMatchObject({ messageId: id, status: 'queued', workflowId: null });
  });
});

describe('streams', () => {
  let abebe: Person;
  let organizationId: string;
  let session: SmsClient;

  beforeEach(async () => {
    abebe = await signUp(api);
    ({ organizationId } = await createOrganization(abebe));
    session = new SmsClient({ baseUrl: cuttable.url, token: abebe.token });
  });

  const notify = async (title: string): Promise<void> =>
    tell(db, [eventFor(abebe, organizationId, { title })]);

  test('notifications arrive once each and in order, also those from while the connection was down', async () => {
    const stream = await session.notifications.stream({ organizationId }).open();
    const titles: string[] = [];
    const reading = (async () => {
      for await (const { title } of stream) titles.push(title);
    })();
    await notify('1');
    await until('the first', () => titles.length === 1);
    await cuttable.cut();
    await notify('2');
    await notify('3');
    await cuttable.restore();
    await until('what was missed', () => titles.length === 3, 20_000);
    await notify('4');
    await until('the next', () => titles.length === 4);
    expect(titles).toEqual(['1', '2', '3', '4']);
    stream.close();
    await reading;
  });

  test('a loop that ends closes the connection, and the signal of the caller ends a stream with its reason', async () => {
    const controller = new AbortController();
    const first = session.notifications.stream({ organizationId }, { signal: controller.signal });
    await first.open();
    await notify('1');
    for await (const { title } of first) if (title === '1') break;
    const second = await session.notifications
      .stream({ organizationId }, { signal: controller.signal })
      .open();
    const reading = all(second);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  test('a stream that is refused throws, at its beginning and later', async () => {
    const stranger = new SmsClient({ baseUrl: api.baseUrl, token: 'wrong' });
    await expect(all(stranger.notifications.stream())).rejects.toMatchObject({ code: 'unauthenticated' });
    const reading = all(await session.notifications.stream({ organizationId }).open());
    await abebe.post('/sign-out');
    await expect(reading).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('the progress of a batch ends with its final status', async () => {
    const campaign = await sms.campaigns.create({ organizationId: tenant.organizationId, name: 'Spring' });
    const list = await sms.contactLists.create({ organizationId: tenant.organizationId, name: 'All' });
    const contact = await sms.contacts.create({
      organizationId: tenant.organizationId,
      phoneNumber: '0911234567',
    });
    await sms.contactLists.replaceMembers(list.id, {
      organizationId: tenant.organizationId,
      contactIds: [contact.id],
    });
    await sms.campaigns.update(campaign.id, {
      organizationId: tenant.organizationId,
      name: 'Spring',
      status: 'active',
    });
    const batch = await sms.bulkSms.create({
      campaignId: campaign.id,
      contactListId: list.id,
      text: 'Selam',
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const reader = new SmsClient({
      baseUrl: cuttable.url,
      apiKey: await tenant.createKey({ environment: 'test' }),
    });
    const statuses: string[] = [];
    for await (const { status } of reader.bulkSms.stream(batch.id)) {
      statuses.push(status);
      if (status === 'scheduled') await sms.bulkSms.cancel(batch.id);
    }
    expect(statuses.at(-1)).toBe('cancelled');
  });
});

describe('files', () => {
  const csv = 'phone,firstName\n0911234567,Abebe\n0922345678,Lula\n';
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: async (controller) => {
        for (const line of csv.split(/(?<=\n)/)) {
          controller.enqueue(new TextEncoder().encode(line));
          await pause(0);
        }
        controller.close();
      },
    });

  test.each([
    ['a text', () => csv],
    ['bytes', () => new TextEncoder().encode(csv)],
    ['a Blob', () => new Blob([csv])],
    ['a stream', stream],
  ])('%s is imported, and what is exported can be imported again', async (_name, file) => {
    const { organizationId } = tenant;
    const imported = await sms.contacts.import({ organizationId, file: file() });
    expect(imported).toMatchObject({ status: 'completed', imported: 2, rejected: 0 });
    const exported = await (await sms.contacts.export()).text();
    expect(exported).toContain('+251911234567');
    expect(await sms.contacts.import({ organizationId, file: exported })).toMatchObject({ updated: 2 });
  });

  test('a stream can be sent once, so its upload is not repeated', async () => {
    faulty.faults.push(problem(429, 'rate_limited', { 'Retry-After': '0' }));
    const upload = sms.contacts.import({ organizationId: tenant.organizationId, file: stream() });
    await expect(upload).rejects.toMatchObject({ code: 'rate_limited' });
    expect(faulty.requests).toHaveLength(1);
  });

  test('a file that breaks off is an error and never a shorter file', async () => {
    await sms.contacts.import({ organizationId: tenant.organizationId, file: csv });
    faulty.faults.push('half-answer');
    const download = await sms.contacts.export();
    await expect(download.text()).rejects.toMatchObject({ name: 'SmsConnectionError' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of await sms.contacts.export()) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toContain('Lula');
  });
});
