import { loadContract } from '../../src/http/contract/contract.ts';
import { createProcessDueInbound } from '../../src/inbound/process-due-inbound.ts';
import { startTestApi, type Answer, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { approveNumber, giveMessage, processWaiting, type Callback } from '../helpers/inbound.ts';
import { join } from '../helpers/notifications.ts';
import { makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { createTestHash } from '../helpers/hash-number.ts';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;
let clock = new Date('2026-11-21T08:00:00Z');

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database, now: () => clock });
  administrator = await signUp(api);
  await makeAdministrator(db, administrator);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

interface Shop extends Tenant {
  key: string;
}

/** An organization with numbers and short codes of its own. */
async function createShop(...numbers: string[]): Promise<Shop> {
  const tenant = await createTenant(db.database);
  for (const number of numbers) await approveNumber(db, tenant.organizationId, number);
  return { ...tenant, key: await tenant.createKey() };
}

let codes = 1000;
const newCode = () => String((codes += 1));
let phones = 0;
const newPhone = () => `+2519110${String((phones += 1)).padStart(5, '0')}`;

async function makeRule({ key }: Shop, keyword: string, more: object = {}): Promise<string> {
  const json = { keyword, response: `Reply to ${keyword}`, ...more };
  const answer = await api.call('POST', '/api/v1/inbound/keywords', { key, json });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

/** Gives a message, has it processed, and answers its record as its organization or else the administrator sees it. */
async function text(callback: Callback): Promise<Record<string, any>> {
  expect((await giveMessage(api, callback)).status).toBe(200);
  await processWaiting(db, () => clock);
  const [row] = await db.query<{ id: string; organization_id: string | null }>(
    'select id, organization_id from inbound_messages order by id desc limit 1',
  );
  return row!.organization_id === null ? unrouted(row!.id) : find(row!.organization_id, row!.id);
}

async function find(organizationId: string, id: string): Promise<Record<string, any>> {
  const [row] = await db.query<Record<string, any>>(
    `select inbound_messages.*, answer.id as reply, answer.text as "replyText", answer.sender as "replySender",
       answer.recipient as "replyTo"
     from inbound_messages left join messages answer on answers_inbound_id = inbound_messages.id
     where inbound_messages.id = ? and inbound_messages.organization_id = ?`,
    [id, organizationId],
  );
  return row!;
}

async function unrouted(id: string): Promise<Record<string, any>> {
  const { body } = await administrator.call('GET', '/api/v1/admin/inbound/messages');
  return (body.data as { id: string }[]).find((one) => one.id === id)!;
}

const list = ({ key }: Shop, query = '') => api.call('GET', `/api/v1/inbound/messages${query}`, { key });
const redrive = ({ key }: Shop, id: string): Promise<Answer> =>
  api.call('POST', `/api/v1/inbound/messages/${id}/redrive`, { key, json: {} });
const send = ({ key }: Shop, json: object) => api.call('POST', '/api/v1/messages', { key, json });
const isSuppressed = async ({ organizationId }: Shop, phone: string): Promise<string | undefined> => {
  const rows = await db.query<{ source: string }>(
    'select source from suppressions where organization_id = ? and phone_number = ?',
    [organizationId, phone],
  );
  return rows[0]?.source;
};

describe('a message from a phone', () => {
  test('is answered by the rule that it is for, from the number that was texted, by an ordinary message', async () => {
    const code = newCode();
    const shop = await createShop(code);
    const keywordId = await makeRule(shop, 'ሰላም', { response: 'እንኳን ደህና መጡ' });
    const from = newPhone();
    const handled = await text({ from, to: code, text: ' ሰላም ', smscId: 's1', providerMessageId: 'p1' });
    expect(handled).toMatchObject({
      status: 'processed',
      replyText: 'እንኳን ደህና መጡ',
      replySender: code,
      replyTo: from,
    });
    const { body } = await list(shop);
    expect(body).toEqual({
      data: [
        {
          ...{ id: handled['id'], organizationId: shop.organizationId, from, to: code, text: ' ሰላም ' },
          ...{ status: 'processed', matched: 'keyword', keywordId, replyMessageId: handled['reply'] },
          ...{
            inReplyToMessageId: null,
            errorCode: null,
            errorMessage: null,
            smscId: 's1',
            providerMessageId: 'p1',
          },
          workflowId: `inbound/${handled['dispatch_id']}`,
          receivedAt: clock.toISOString(),
          processedAt: clock.toISOString(),
        },
      ],
      pagination: { limit: 50, nextCursor: null },
    });
    const reply = await api.call('GET', `/api/v1/messages/${handled['reply']}`, { key: shop.key });
    expect(reply.body).toMatchObject({
      status: 'queued',
      from: code,
      to: from,
      segments: 1,
      environment: 'live',
    });
  });

  test.each([
    ['E.164', '+251922000001', '+251922000001'],
    ['nationally', '+251922000002', '0922000002'],
    ['without its plus', '+251922000003', '251922000003'],
    ['with 00', '+251922000004', '00251922000004'],
    ['abroad without its plus', '+447911123456', '447911123456'],
  ])('reaches the owner of a number written %s', async (...[, approved, to]) => {
    const shop = await createShop(approved);
    await makeRule(shop, 'INFO');
    expect(await text({ from: newPhone(), to, text: 'info' })).toMatchObject({
      status: 'processed',
      organization_id: shop.organizationId,
      replySender: approved,
    });
  });

  test('is answered from the rule’s sender where it names one', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO', { sender: shop.sender });
    expect((await text({ from: newPhone(), to: code, text: 'INFO' }))['replySender']).toBe(shop.sender);
  });

  test('is unmatched without a rule, or with one that is disabled, and stays in the inbox', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO', { enabled: false });
    for (const words of ['INFO', 'anything else', '']) {
      expect(await text({ from: newPhone(), to: code, text: words })).toMatchObject({
        status: 'unmatched',
        reply: null,
      });
    }
    expect((await list(shop, '?status=unmatched')).body.data).toHaveLength(3);
    expect((await list(shop, '?status=processed')).body.data).toEqual([]);
    const first = (await list(shop, '?limit=2')).body;
    const second = (await list(shop, `?limit=2&cursor=${first.pagination.nextCursor as string}`)).body;
    expect([first, second].map(({ data }) => (data as unknown[]).length)).toEqual([2, 1]);
  });

  test('of a number to itself is answered by nothing, which would go round for ever, and says why', async () => {
    const number = '+251922000006';
    const shop = await createShop(number, '+251922000007');
    await makeRule(shop, 'INFO');
    await makeRule(shop, 'OTHER', { sender: '+251922000007' });
    const callbacks = [
      { from: '0922000006', to: number, text: 'INFO' },
      { from: number, to: number, text: 'STOP' },
      { from: '+251922000007', to: number, text: 'OTHER' },
    ];
    for (const callback of callbacks) {
      expect(await text(callback)).toMatchObject({
        ...{ status: 'processed', error_code: 'own_number', reply: null },
        error_message: expect.any(String),
      });
    }
  });

  test('of a phone that is no number is unmatched, and with a rule it is not answered, with the reason', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO');
    expect(await text({ from: 'EthioTel', to: code, text: 'x' })).toMatchObject({ status: 'unmatched' });
    for (const words of ['INFO', 'STOP']) {
      expect(await text({ from: 'EthioTel', to: code, text: words })).toMatchObject({
        status: 'processed',
        error_code: 'invalid_recipient',
        reply: null,
      });
    }
  });

  test('to a number of nobody is seen by administrators and by no organization', async () => {
    const shop = await createShop(newCode());
    const handled = await text({ from: newPhone(), to: '99999', text: 'INFO' });
    expect(handled).toMatchObject({
      status: 'unmatched',
      organizationId: null,
      to: '99999',
      processedAt: expect.any(String),
    });
    expect((await list(shop)).body.data).toEqual([]);
    expect(problemOf(await redrive(shop, handled['id'] as string))).toEqual({
      status: 404,
      code: 'not_found',
    });
  });

  test('to a shared short code is of the organization whose keyword it is, and of nobody without one', async () => {
    const code = newCode();
    const [one, other] = [await createShop(code), await createShop(code)];
    await makeRule(one, 'PARCEL');
    await makeRule(other, 'BANK');
    expect(await text({ from: newPhone(), to: code, text: 'bank' })).toMatchObject({
      organization_id: other.organizationId,
      replyText: 'Reply to BANK',
    });
    expect(await text({ from: newPhone(), to: code, text: 'Hello' })).toMatchObject({
      status: 'unmatched',
      organizationId: null,
    });
    expect((await list(one)).body.data).toEqual([]);
  });

  test('is answered by one rule five times in an hour; the sixth is kept with the reason, and a later one is answered', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO');
    await makeRule(shop, 'OTHER');
    const from = newPhone();
    const seen: unknown[] = [];
    for (let round = 0; round < 6; round += 1) {
      clock = new Date(clock.getTime() + 60_000);
      seen.push((await text({ from, to: code, text: 'INFO' }))['error_code']);
    }
    expect(seen).toEqual([null, null, null, null, null, 'reply_limit_reached']);
    expect((await text({ from, to: code, text: 'OTHER' }))['reply']).not.toBeNull();
    expect((await text({ from: newPhone(), to: code, text: 'INFO' }))['reply']).not.toBeNull();
    clock = new Date(clock.getTime() + 3_600_000);
    expect((await text({ from, to: code, text: 'INFO' }))['reply']).not.toBeNull();
  });
});

test.each(['status=gone', 'limit=0', 'limit=201', 'limit=x', 'cursor=x', 'color=red'])(
  'a list asked for by %s is refused, to organizations and to administrators',
  async (query) => {
    const shop = await createShop();
    const answers = [
      await list(shop, `?${query}`),
      await administrator.call('GET', `/api/v1/admin/inbound/messages?${query}`),
    ];
    for (const answer of answers) expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  },
);

test('administrators see page by page what no organization got, and nothing else', async () => {
  const code = newCode();
  await createShop(code);
  await text({ from: newPhone(), to: code, text: 'routed' });
  for (const words of ['one', 'two', 'three']) await text({ from: newPhone(), to: '99998', text: words });
  const page = (query: string) =>
    administrator.call('GET', `/api/v1/admin/inbound/messages?limit=2&status=unmatched${query}`);
  const first = (await page('')).body;
  const second = (await page(`&cursor=${first.pagination.nextCursor as string}`)).body;
  const rows = [...first.data, ...second.data] as { text: string; organizationId: null }[];
  expect(rows.slice(0, 3).map((row) => row.text)).toEqual(['three', 'two', 'one']);
  expect(rows.every(({ organizationId }) => organizationId === null)).toBe(true);
});

test('replies of a rule that was deleted do not count as confirmations of STOP', async () => {
  const code = newCode();
  const shop = await createShop(code);
  const keywordId = await makeRule(shop, 'INFO');
  const from = newPhone();
  for (let round = 0; round < 5; round += 1) await text({ from, to: code, text: 'INFO' });
  await api.call('DELETE', `/api/v1/inbound/keywords/${keywordId}`, { key: shop.key });
  expect(await text({ from, to: code, text: 'STOP' })).toMatchObject({ error_code: null, replySender: code });
});

describe('a message that failed', () => {
  async function fail(): Promise<{ shop: Shop; keywordId: string; handled: Record<string, any> }> {
    const code = newCode();
    const shop = await createShop(code);
    const keywordId = await makeRule(shop, 'INFO', { sender: shop.sender });
    await db.query(`update sender_ids set status = 'rejected' where value = ?`, [shop.sender]);
    const handled = await text({ from: newPhone(), to: code, text: 'INFO' });
    expect(handled).toMatchObject({ status: 'failed', error_code: 'sender_not_approved', reply: null });
    expect(handled['error_message']).toEqual(expect.any(String));
    return { shop, keywordId, handled };
  }

  test('is redriven by the rules of today, and answered once', async () => {
    const { shop, keywordId, handled } = await fail();
    await api.call('PATCH', `/api/v1/inbound/keywords/${keywordId}`, {
      key: shop.key,
      json: { sender: null },
    });
    const id = handled['id'] as string;
    const answers = await Promise.all([redrive(shop, id), redrive(shop, id)]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({
      status: 'received',
      errorCode: null,
    });
    await processWaiting(db, () => clock);
    expect(await find(shop.organizationId, id)).toMatchObject({
      status: 'processed',
      replyText: 'Reply to INFO',
    });
    const again = await redrive(shop, id);
    expect(problemOf(again)).toEqual({ status: 409, code: 'invalid_state' });
    expect(again.body.detail).toMatch(/is processed, and only a failed one/);
    expect(await db.query('select id from messages where answers_inbound_id = ?', [id])).toHaveLength(1);
    expect(await db.query('select action, actor_kind from audit_events where subject_id = ?', [id])).toEqual([
      { action: 'inbound_message.redriven', actor_kind: 'api_key' },
    ]);
  });

  test('fails again while what it failed for lasts, is told each time, and can be redriven again', async () => {
    const { shop, handled } = await fail();
    const id = handled['id'] as string;
    // Its organization gets an owner after the first failure, who is told of the two that come.
    const owner = await signUp(api);
    await join(db, owner, shop.organizationId, 'owner');
    for (let round = 0; round < 2; round += 1) {
      clock = new Date(clock.getTime() + 1000);
      expect((await redrive(shop, id)).status).toBe(200);
      await processWaiting(db, () => clock);
      expect(await find(shop.organizationId, id)).toMatchObject({
        status: 'failed',
        error_code: 'sender_not_approved',
      });
    }
    const { body } = await owner.call('GET', '/api/v1/notifications');
    expect(body.data).toMatchObject([
      { kind: 'inbound_failed', subjectId: id },
      { kind: 'inbound_failed', subjectId: id },
    ]);
  });

  test.each(['received', 'processing', 'processed', 'unmatched'])(
    'only: one that is %s is not redriven',
    async (status) => {
      const { shop, handled } = await fail();
      await db.query(
        `update inbound_messages set status = ?, dispatch_id = gen_random_uuid(), due_at = null where id = ?`,
        [status, handled['id']],
      );
      const refused = await redrive(shop, handled['id'] as string);
      expect(problemOf(refused)).toEqual({ status: 409, code: 'invalid_state' });
      expect(refused.body.detail).toContain(`is ${status}, and only a failed one can be redriven`);
      await db.query(`delete from inbound_messages where id = ?`, [handled['id']]);
    },
  );

  test('is not another organization’s to redrive', async () => {
    const { handled } = await fail();
    const stranger = await createShop();
    expect(problemOf(await redrive(stranger, handled['id'] as string))).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect(problemOf(await redrive(stranger, 'x'))).toEqual({ status: 404, code: 'not_found' });
  });

  test('a second reply to one message is refused by the database itself', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO');
    const { id } = await text({ from: newPhone(), to: code, text: 'INFO' });
    await expect(
      db.query(
        `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
           metadata, created_at, valid_until, answers_inbound_id)
         select gen_random_uuid(), organization_id, environment, sender, recipient, text, encoding, segments, status,
           metadata, created_at, valid_until, answers_inbound_id from messages where answers_inbound_id = ?`,
        [id],
      ),
    ).rejects.toThrow('messages_answer_unique');
  });
});

describe('STOP and START', () => {
  test('a phone is told once that it is off the list, gets nothing then, and is told once that it is on it again', async () => {
    const code = newCode();
    const shop = await createShop(code);
    const from = newPhone();
    const stop = await text({ from, to: code, text: 'Stop.' });
    expect(stop).toMatchObject({ status: 'processed', matched: 'stop', error_code: null, replySender: code });
    expect(stop['replyText']).toContain('unsubscribed');
    expect(await isSuppressed(shop, from)).toBe('recipient');
    expect(problemOf(await send(shop, { to: from, text: 'x' })).code).toBe('recipient_opted_out');
    for (const word of ['STOP', 'አቁም', 'quit']) {
      expect(await text({ from, to: code, text: word })).toMatchObject({
        ...{ status: 'processed', matched: 'stop', error_code: 'already_opted_out', reply: null },
      });
    }
    const start = await text({ from, to: code, text: 'START' });
    expect(start).toMatchObject({ matched: 'start', error_code: null });
    expect(start['replyText']).toContain('again');
    expect(await isSuppressed(shop, from)).toBeUndefined();
    expect((await send(shop, { to: from, text: 'x' })).status).toBe(202);
    expect(await text({ from, to: code, text: 'START' })).toMatchObject({
      error_code: 'not_opted_out',
      reply: null,
    });
    const { body } = await api.call('GET', '/api/v1/suppressions', { key: shop.key });
    expect(body.data).toEqual([]);
  });

  test('the confirmation is kept as one that is sent although the phone has opted out', async () => {
    const code = newCode();
    const shop = await createShop(code);
    const { reply } = await text({ from: newPhone(), to: code, text: 'STOP' });
    expect(await db.query('select ignores_suppression from messages where id = ?', [reply])).toEqual([
      { ignores_suppression: true },
    ]);
    expect(shop.organizationId).toEqual(expect.any(String));
  });

  test('STOP 20 times at once is confirmed once', async () => {
    const code = newCode();
    const shop = await createShop(code);
    const from = newPhone();
    await Promise.all(Array.from({ length: 20 }, () => giveMessage(api, { from, to: code, text: 'STOP' })));
    await Promise.all([processWaiting(db, () => clock), processWaiting(db, () => clock)]);
    expect(await db.query('select id from messages where recipient = ?', [from])).toHaveLength(1);
    expect((await list(shop, '?status=processed')).body.data).toHaveLength(20);
  });

  test('machines that send STOP and START by turns are confirmed five times in an hour', async () => {
    const code = newCode();
    await createShop(code);
    const from = newPhone();
    for (let round = 0; round < 4; round += 1) {
      for (const word of ['STOP', 'START']) await text({ from, to: code, text: word });
    }
    expect(await db.query('select id from messages where recipient = ?', [from])).toHaveLength(5);
  });

  test('a rule does not answer a phone that has opted out', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO');
    const from = newPhone();
    await text({ from, to: code, text: 'STOP' });
    expect(await text({ from, to: code, text: 'INFO' })).toMatchObject({
      ...{ status: 'processed', matched: 'keyword', error_code: 'recipient_opted_out', reply: null },
    });
  });

  test('they go before rules, but only as a whole text', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'top', { matchType: 'contains' });
    expect((await text({ from: newPhone(), to: code, text: 'STOP' }))['matched']).toBe('stop');
    expect((await text({ from: newPhone(), to: code, text: 'STOP it' }))['matched']).toBe('keyword');
  });

  describe('beside what an operator entered', () => {
    const enter = (shop: Shop, phoneNumber: string) =>
      api.call('POST', '/api/v1/suppressions', { key: shop.key, json: { phoneNumber, reason: 'Owes us.' } });
    const strike = (shop: Shop, id: string) =>
      api.call('DELETE', `/api/v1/suppressions/${id}`, { key: shop.key });
    const entries = async ({ key }: Shop): Promise<{ id: string; source: string; reason: string }[]> =>
      (await api.call('GET', '/api/v1/suppressions', { key })).body.data;

    async function prepare(): Promise<{ code: string; shop: Shop; from: string }> {
      const code = newCode();
      return { code, shop: await createShop(code), from: newPhone() };
    }

    test('STOP is kept and confirmed once, and holds when the operator takes his entry off', async () => {
      const { code, shop, from } = await prepare();
      const { body } = await enter(shop, from);
      expect(await text({ from, to: code, text: 'STOP' })).toMatchObject({
        error_code: null,
        // START would bring nothing back, so it is not spoken of.
        replyText: 'You have been unsubscribed and will get no more messages.',
      });
      expect(await text({ from, to: code, text: 'STOP' })).toMatchObject({
        error_code: 'already_opted_out',
        reply: null,
      });
      expect((await entries(shop)).map(({ source }) => source)).toEqual(['recipient', 'operator']);
      expect((await strike(shop, body.id as string)).status).toBe(204);
      expect(await entries(shop)).toMatchObject([{ source: 'recipient' }]);
      expect(problemOf(await send(shop, { to: from, text: 'x' })).code).toBe('recipient_opted_out');
    });

    test('an entry over a STOP is one of its own, with its reason, and START leaves it', async () => {
      const { code, shop, from } = await prepare();
      await text({ from, to: code, text: 'STOP' });
      const entered = await enter(shop, from);
      expect(entered).toMatchObject({ status: 201, body: { source: 'operator', reason: 'Owes us.' } });
      expect(await enter(shop, from)).toMatchObject({ status: 200, body: { id: entered.body.id } });
      // It would be untrue that messages come again.
      expect(await text({ from, to: code, text: 'START' })).toMatchObject({
        ...{ status: 'processed', matched: 'start', error_code: 'suppressed_by_operator', reply: null },
        error_message: expect.stringContaining('does not remove'),
      });
      expect(await entries(shop)).toMatchObject([{ id: entered.body.id, source: 'operator' }]);
      expect(problemOf(await send(shop, { to: from, text: 'x' })).code).toBe('recipient_opted_out');
      expect((await strike(shop, entered.body.id as string)).status).toBe(204);
      expect((await send(shop, { to: from, text: 'x' })).status).toBe(202);
    });

    test('START of a phone that never stopped says that the operator’s entry holds', async () => {
      const { code, shop, from } = await prepare();
      await enter(shop, from);
      expect(await text({ from, to: code, text: 'START' })).toMatchObject({
        error_code: 'suppressed_by_operator',
        reply: null,
      });
      expect(await isSuppressed(shop, from)).toBe('operator');
    });

    test('taking the number off takes off both', async () => {
      const { code, shop, from } = await prepare();
      await enter(shop, from);
      await text({ from, to: code, text: 'STOP' });
      expect((await strike(shop, from)).status).toBe(204);
      expect(await entries(shop)).toEqual([]);
    });

    test('of those who share a code, one is told nothing of another’s list', async () => {
      const code = newCode();
      const [one, two] = [await createShop(code), await createShop(code)];
      const from = newPhone();
      await send(two, { to: from, text: 'x', from: code });
      await enter(one, from);
      expect(await text({ from, to: code, text: 'START' })).toMatchObject({
        organization_id: two.organizationId,
        error_code: 'not_opted_out',
      });
    });

    test('START to a shared code is confirmed by one who may write again', async () => {
      const code = newCode();
      const [one, two] = [await createShop(code), await createShop(code)];
      const from = newPhone();
      await text({ from, to: code, text: 'STOP' });
      await enter(one, from);
      expect(await text({ from, to: code, text: 'START' })).toMatchObject({
        organization_id: two.organizationId,
        replyText: expect.stringContaining('again'),
      });
      expect(await Promise.all([one, two].map((shop) => isSuppressed(shop, from)))).toEqual([
        'operator',
        undefined,
      ]);
    });
  });

  test.each([[['own', 'shared']], [['shared', 'own']], [['shared', 'own', 'shared']]])(
    'STOP to the numbers %j is lifted by START to the own one, and not by START to the shared one',
    async (...[stops]) => {
      const [shared, own] = [newCode(), newCode()];
      const shop = await createShop(shared, own);
      const other = await createShop(shared);
      const from = newPhone();
      for (const stop of stops) await text({ from, to: stop === 'own' ? own : shared, text: 'STOP' });
      await send(shop, { to: from, text: 'x', from: shared });
      expect(await text({ from, to: shared, text: 'START' })).toMatchObject({
        matched: 'start',
        replyText: expect.stringContaining('again'),
        organization_id: other.organizationId,
      });
      expect(await isSuppressed(shop, from)).toBe('recipient');
      expect(await isSuppressed(other, from)).toBeUndefined();
      expect(await text({ from, to: own, text: 'START' })).toMatchObject({ error_code: null });
      expect(await isSuppressed(shop, from)).toBeUndefined();
    },
  );

  test('STOP to two shared codes is lifted by START to both, in any order', async () => {
    const [one, two] = [newCode(), newCode()];
    const shop = await createShop(one, two);
    await createShop(one, two);
    const from = newPhone();
    for (const to of [one, two]) await text({ from, to, text: 'STOP' });
    expect(await text({ from, to: two, text: 'START' })).toMatchObject({ errorCode: 'stopped_elsewhere' });
    expect(await isSuppressed(shop, from)).toBe('recipient');
    expect((await text({ from, to: one, text: 'START' }))['reply']).not.toBeNull();
    expect(await isSuppressed(shop, from)).toBeUndefined();
  });

  test('on a shared short code STOP is for whoever wrote from it, and is confirmed once', async () => {
    const code = newCode();
    const [one, two, three] = [await createShop(code), await createShop(code), await createShop(code)];
    const from = newPhone();
    await send(one, { to: from, text: 'x', from: code });
    await send(two, { to: from, text: 'x', from: code });
    await send(three, { to: from, text: 'x', from: three.sender });
    const stop = await text({ from, to: code, text: 'STOP' });
    expect(stop['organization_id']).toBe(two.organizationId);
    expect(await Promise.all([one, two, three].map((shop) => isSuppressed(shop, from)))).toEqual([
      ...['recipient', 'recipient', undefined],
    ]);
    expect(
      await db.query(`select id from messages where recipient = ? and text like '%unsubscribed%'`, [from]),
    ).toHaveLength(1);
    await text({ from, to: code, text: 'START' });
    expect(await Promise.all([one, two, three].map((shop) => isSuppressed(shop, from)))).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  test('on a shared short code that nobody wrote from, STOP is for all; START ends nothing that was stopped elsewhere', async () => {
    const [code, own] = [newCode(), newCode()];
    const [one, two] = [await createShop(code, own), await createShop(code)];
    const from = newPhone();
    await text({ from, to: own, text: 'STOP' });
    expect(await text({ from, to: code, text: 'START' })).toMatchObject({
      errorCode: 'stopped_elsewhere',
      organizationId: null,
    });
    expect(await isSuppressed(one, from)).toBe('recipient');
    const other = newPhone();
    expect((await text({ from: other, to: code, text: 'STOP' }))['reply']).not.toBeNull();
    expect(await Promise.all([one, two].map((shop) => isSuppressed(shop, other)))).toEqual([
      'recipient',
      'recipient',
    ]);
  });
});

describe('message.received', () => {
  const webhook = { url: 'http://127.0.0.1:9/hook', secret: 'secret-of-a-webhook' };
  const deliveries = ({ key }: Shop) => api.call('GET', '/api/v1/webhook-deliveries', { key });

  test('tells the webhook of the last message from that number to that phone, once', async () => {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'YES');
    const from = newPhone();
    const sent = await send(shop, { to: from, text: 'Come?', from: code, webhook });
    const handled = await text({ from, to: code, text: 'yes', providerMessageId: 'p-yes' });
    expect(handled).toMatchObject({ status: 'processed', in_reply_to_message_id: sent.body.id });
    const { body } = await deliveries(shop);
    expect(body.data).toMatchObject([
      {
        event: 'message.received',
        messageId: sent.body.id,
        url: webhook.url,
        status: 'pending',
        environment: 'live',
      },
    ]);
    const [row] = await db.query<{ body: string }>('select body from webhook_deliveries where id = ?', [
      body.data[0].id,
    ]);
    const { properties } = loadContract().resolve({ $ref: '#/components/schemas/ReceivedSnapshot' });
    expect(Object.keys(JSON.parse(row!.body).data)).toEqual(Object.keys(properties!));
    expect(JSON.parse(row!.body)).toEqual({
      id: body.data[0].id,
      event: 'message.received',
      createdAt: clock.toISOString(),
      data: {
        ...{ id: handled['id'], organizationId: shop.organizationId, event: 'message.received' },
        ...{ from, to: code, text: 'yes', providerMessageId: 'p-yes', inReplyToMessageId: sent.body.id },
        receivedAt: clock.toISOString(),
      },
    });
    // The reply of the rule is no message that one answers: the next text still answers what was sent before.
    expect(await text({ from, to: code, text: 'Hm' })).toMatchObject({
      ...{ status: 'unmatched', in_reply_to_message_id: sent.body.id },
    });
    const timeline = await api.call('GET', `/api/v1/messages/${sent.body.id as string}/timeline`, {
      key: shop.key,
    });
    expect(
      (timeline.body.data as { kind: string; event?: string }[])
        .filter(({ kind }) => kind === 'webhook_created')
        .map(({ event }) => event),
    ).toEqual(['message.received', 'message.received']);
  });

  test.each<[string, (shop: Shop, phone: string, code: string) => Promise<unknown>]>([
    ['a message without a webhook', (shop, to, from) => send(shop, { to, from, text: 'x' })],
    ['a message from another sender', (shop, to) => send(shop, { to, text: 'x', webhook })],
    [
      'a message to another phone',
      (shop, _to, from) => send(shop, { to: newPhone(), from, text: 'x', webhook }),
    ],
    [
      'a message older than 7 days',
      async (shop, to, from) => {
        await send(shop, { to, from, text: 'x', webhook });
        clock = new Date(clock.getTime() + 7 * 24 * 3_600_000 + 1000);
      },
    ],
    [
      'a message that failed',
      async (shop, to, from) => {
        const { body } = await send(shop, { to, from, text: 'x', webhook });
        await db.query(`update messages set status = 'failed' where id = ?`, [body.id]);
      },
    ],
  ])('is not sent for %s', async (...[, prepare]) => {
    const code = newCode();
    const shop = await createShop(code);
    const from = newPhone();
    await prepare(shop, from, code);
    await text({ from, to: code, text: 'yes' });
    expect((await deliveries(shop)).body.data).toEqual([]);
  });

  test('is sent once for a message that fails and is redriven', async () => {
    const code = newCode();
    const shop = await createShop(code);
    const keywordId = await makeRule(shop, 'YES', { sender: shop.sender });
    const from = newPhone();
    await send(shop, { to: from, text: 'Come?', from: code, webhook });
    await db.query(`update sender_ids set status = 'rejected' where value = ?`, [shop.sender]);
    const { id } = await text({ from, to: code, text: 'yes' });
    expect((await deliveries(shop)).body.data).toHaveLength(1);
    await api.call('DELETE', `/api/v1/inbound/keywords/${keywordId}`, { key: shop.key });
    await makeRule(shop, 'YES');
    await redrive(shop, id as string);
    await processWaiting(db, () => clock);
    expect(await find(shop.organizationId, id as string)).toMatchObject({ status: 'processed' });
    expect((await deliveries(shop)).body.data).toHaveLength(1);
  });

  test('a live message goes before a later one of a test key, which no phone got', async () => {
    const code = newCode();
    const shop = await createShop(code);
    const from = newPhone();
    const sent = await send(shop, { to: from, text: 'x', from: code, webhook });
    const testKey = await shop.createKey({ environment: 'test' });
    const inTest = await send({ ...shop, key: testKey }, { to: from, text: 'x', from: code, webhook });
    expect(inTest.status).toBe(202);
    expect(await text({ from, to: code, text: 'yes' })).toMatchObject({
      in_reply_to_message_id: sent.body.id,
    });
  });

  describe('on a shared short code', () => {
    async function share(): Promise<{ code: string; one: Shop; two: Shop; from: string }> {
      const code = newCode();
      return { code, one: await createShop(code), two: await createShop(code), from: newPhone() };
    }

    test('an answer that no keyword routes stays nobody’s, and is told to who wrote last', async () => {
      const { code, one, two, from } = await share();
      await send(two, { to: from, text: 'Hello?', from: code, webhook });
      const sent = await send(one, { to: from, text: 'Come?', from: code, webhook });
      const handled = await text({ from, to: code, text: 'Yes, gladly' });
      expect(handled).toMatchObject({
        status: 'unmatched',
        organizationId: null,
        inReplyToMessageId: sent.body.id,
      });
      expect((await deliveries(one)).body.data).toMatchObject([
        { event: 'message.received', messageId: sent.body.id, organizationId: one.organizationId },
      ]);
      expect((await deliveries(two)).body.data).toEqual([]);
      expect((await list(one)).body.data).toEqual([]);
      const [row] = await db.query<{ body: string }>(
        'select body from webhook_deliveries where message_id = ?',
        [sent.body.id],
      );
      expect(JSON.parse(row!.body).data).toMatchObject({
        organizationId: one.organizationId,
        text: 'Yes, gladly',
        inReplyToMessageId: sent.body.id,
      });
    });

    test('what a keyword routed elsewhere is not told to who wrote last', async () => {
      const { code, one, two, from } = await share();
      await makeRule(two, 'BALANCE');
      await send(one, { to: from, text: 'Come?', from: code, webhook });
      expect(await text({ from, to: code, text: 'balance' })).toMatchObject({
        organization_id: two.organizationId,
        in_reply_to_message_id: null,
      });
      const own = await send(two, { to: from, text: 'x', from: code, webhook });
      await send(one, { to: from, text: 'Come?', from: code, webhook });
      expect(await text({ from, to: code, text: 'balance' })).toMatchObject({
        in_reply_to_message_id: own.body.id,
      });
      expect((await deliveries(one)).body.data).toEqual([]);
    });

    test('a message of a test key, or one of 8 days ago, brings nobody an answer that is nobody’s', async () => {
      const { code, one, two, from } = await share();
      const today = clock;
      clock = new Date(today.getTime() - 8 * 24 * 3_600_000);
      await send(two, { to: from, text: 'x', from: code, webhook });
      clock = today;
      const testKey = await one.createKey({ environment: 'test' });
      await send({ ...one, key: testKey }, { to: from, text: 'x', from: code, webhook });
      expect(await text({ from, to: code, text: 'Yes' })).toMatchObject({ inReplyToMessageId: null });
      expect((await api.call('GET', '/api/v1/webhook-deliveries', { key: testKey })).body.data).toEqual([]);
      expect((await deliveries(two)).body.data).toEqual([]);
    });
  });
});

describe('processing', () => {
  const context = { heartbeat: () => undefined, stopping: () => false };
  const processDue = (dispatchId: string, at: Date) =>
    createProcessDueInbound({
      database: db.database,
      hashNumber: createTestHash(db.database),
      startMessages: () => undefined,
      startWebhooks: () => undefined,
      now: () => at,
    })(dispatchId, context);

  async function breakOff(): Promise<{ shop: Shop; id: string; dispatchId: string }> {
    const code = newCode();
    const shop = await createShop(code);
    await makeRule(shop, 'INFO');
    await giveMessage(api, { from: newPhone(), to: code, text: 'INFO' });
    const dispatchId = crypto.randomUUID();
    const [row] = await db.query<{ id: string }>(
      `update inbound_messages set status = 'processing', attempts = 1, dispatch_id = ?, due_at = ?
       where status = 'received' returning id`,
      [dispatchId, new Date(clock.getTime() + 30_000)],
    );
    return { shop, id: row!.id, dispatchId };
  }

  test('that broke off after the claim is taken up again once the claim is over, and not before', async () => {
    const { shop, id, dispatchId } = await breakOff();
    const progress = await processDue(dispatchId, clock);
    expect(progress).toMatchObject({ counts: { processing: 1 }, nextDueAt: expect.any(String) });
    expect(progress.open).toMatchObject([{ id, attempts: 1, lastReason: null }]);
    expect(await processDue(dispatchId, new Date(clock.getTime() + 31_000))).toMatchObject({
      counts: { processed: 1 },
      nextDueAt: null,
    });
    expect(await find(shop.organizationId, id)).toMatchObject({ status: 'processed', attempts: 2 });
  });

  test('twice at once stores one reply', async () => {
    const { id, dispatchId } = await breakOff();
    const later = new Date(clock.getTime() + 31_000);
    await Promise.all([processDue(dispatchId, later), processDue(dispatchId, later)]);
    expect(await db.query('select id from messages where answers_inbound_id = ?', [id])).toHaveLength(1);
  });

  test('leaves nothing behind where it fails halfway, holds up no other message, and gives up in the end', async () => {
    const { shop, id, dispatchId } = await breakOff();
    const code = newCode();
    const other = await createShop(code);
    await makeRule(other, 'INFO');
    await giveMessage(api, { from: newPhone(), to: code, text: 'INFO' });
    await db.query(`update inbound_messages set dispatch_id = ? where status = 'received'`, [dispatchId]);
    const at = (attempt: number) => new Date(clock.getTime() + attempt * 31_000);
    // The reply is stored, and then the status cannot be.
    await db.query(
      `alter table inbound_messages add constraint broken check (status <> 'processed' or id <> '${id}')`,
    );
    await expect(processDue(dispatchId, at(1))).rejects.toThrow('broken');
    expect(await db.query('select id from messages where answers_inbound_id = ?', [id])).toEqual([]);
    expect((await list(other)).body.data).toMatchObject([{ status: 'processed' }]);
    for (let attempt = 2; attempt < 10; attempt += 1)
      await expect(processDue(dispatchId, at(attempt))).rejects.toThrow('broken');
    expect(await processDue(dispatchId, at(10))).toMatchObject({ nextDueAt: null });
    await db.query('alter table inbound_messages drop constraint broken');
    expect(await find(shop.organizationId, id)).toMatchObject({
      status: 'failed',
      error_code: 'processing_failed',
    });
    expect((await redrive(shop, id)).status).toBe(200);
    await processWaiting(db, () => at(11));
    expect(await find(shop.organizationId, id)).toMatchObject({
      status: 'processed',
      replyText: 'Reply to INFO',
    });
  });
});
