import { inspect } from 'node:util';
import { SmsApiError, SmsClient, SmsConnectionError, type ContactInput } from '../../client/src/index.ts';
import { freePort } from '../../bench/service.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problem, startFaultProxy, type Fault, type FaultProxy } from '../helpers/fault-proxy.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let proxy: FaultProxy;
let apiKey: string;
let sms: SmsClient;
let contact: ContactInput;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  proxy = await startFaultProxy(api.baseUrl);
});

beforeEach(async () => {
  const tenant = await createTenant(db.database);
  apiKey = await tenant.createKey({ environment: 'test' });
  sms = new SmsClient({ baseUrl: proxy.baseUrl, apiKey });
  contact = { organizationId: tenant.organizationId, firstName: 'Abebe', phoneNumber: '0911234567' };
  proxy.requests.splice(0);
});

afterAll(async () => {
  await proxy.stop();
  await api.stop();
  await db.drop();
});

const faults: [name: string, fault: Fault][] = [
  ['a request that is lost', 'lost-request'],
  ['an answer that is lost', 'lost-answer'],
  ['an answer that breaks off', 'half-answer'],
  ['an error of a proxy after the service has answered', 'error-after-work'],
  ['a 500', problem(500, 'internal_error')],
  ['a 429', problem(429, 'rate_limited', { 'Retry-After': '0' })],
  ['a 503', problem(503, 'unavailable', { 'Retry-After': '0' })],
  [
    'a 409 because the first request is in progress',
    problem(409, 'idempotency_in_progress', { 'Retry-After': '0' }),
  ],
];

/** The error that a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each(faults)('after %s, a message is sent all the same, and once', async (_name, fault) => {
  proxy.faults.push(fault);
  const message = await sms.messages.send({ to: '0911234567', text: 'Selam' });
  const stored: string[] = [];
  for await (const { id } of sms.messages.list()) stored.push(id);
  expect(stored).toEqual([message.id]);
  const [first, second] = proxy.requests.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
});

test.each(faults.filter(([, fault]) => typeof fault === 'string'))(
  'after %s, what has no key is not repeated, for it may have been done',
  async (_name, fault) => {
    proxy.faults.push(fault);
    const error = await errorOf(sms.contacts.create(contact));
    if (fault === 'error-after-work') expect(error).toMatchObject({ status: 502, code: 'http_error' });
    else expect(error).toMatchObject({ name: 'SmsConnectionError', mayHaveArrived: true });
    expect(proxy.requests).toHaveLength(1);
    const { data } = await sms.contacts.list().page();
    expect(data).toHaveLength(fault === 'lost-request' ? 0 : 1);
  },
);

test('a 500 does not repeat what has no key', async () => {
  proxy.faults.push(problem(500, 'internal_error'));
  expect(await errorOf(sms.contacts.create(contact))).toMatchObject({ status: 500 });
  expect(proxy.requests).toHaveLength(1);
});

test.each([
  ['a 429', problem(429, 'rate_limited', { 'Retry-After': '0' })],
  ['a 503 of the service', problem(503, 'unavailable')],
])('after %s, nothing was done, and what has no key is repeated', async (_name, fault) => {
  proxy.faults.push(fault);
  const { id } = await sms.contacts.create(contact);
  await sms.contacts.delete(id);
  expect(proxy.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE']);
});

test('a refused connection is tried again, also for what has no key, and says that nothing arrived', async () => {
  let attempts = 0;
  const refused = new SmsClient({
    baseUrl: `http://127.0.0.1:${await freePort()}`,
    apiKey,
    maxRetries: 1,
    fetch: (...request) => {
      attempts += 1;
      return fetch(...request);
    },
  });
  const error = await errorOf(refused.contacts.create(contact));
  expect(error).toBeInstanceOf(SmsConnectionError);
  expect(error).toMatchObject({ mayHaveArrived: false });
  expect(attempts).toBe(2);
});

test('after the last repetition, the error is that of the service', async () => {
  proxy.faults.push(...Array<Fault>(3).fill(problem(500, 'internal_error')));
  const error = await errorOf(sms.messages.send({ to: '0911234567', text: 'Selam' }));
  expect(error).toBeInstanceOf(SmsApiError);
  expect(error).toMatchObject({ status: 500, code: 'internal_error', requestId: 'r' });
  expect(proxy.requests).toHaveLength(3);
});

test('a wait of an hour is left to the caller', async () => {
  proxy.faults.push(problem(429, 'rate_limited', { 'Retry-After': '3600' }));
  const error = await errorOf(sms.messages.send({ to: '0911234567', text: 'Selam' }));
  expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 });
  expect(proxy.requests).toHaveLength(1);
});

test('a refusal names the fields, the code and the request, and is not repeated', async () => {
  const error = await errorOf(sms.messages.send({ to: '0911234567', text: 'x'.repeat(1601) }));
  expect(error).toMatchObject({
    name: 'SmsApiError',
    status: 400,
    code: 'invalid_request',
    errors: [{ path: '/body/text', code: 'too_long' }],
    retryAfterSeconds: null,
  });
  expect((error as SmsApiError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect((error as SmsApiError).message).toMatch(/\/body\/text .*\(invalid_request, request /);
  expect(proxy.requests).toHaveLength(1);
});

test('a key of the caller returns the first message again, also for concurrent calls', async () => {
  const idempotencyKey = 'order-1001-ሰላም';
  const calls = Array.from({ length: 5 }, () =>
    sms.messages.send({ to: '0911234567', text: 'Selam' }, { idempotencyKey, maxRetries: 10 }),
  );
  const ids = new Set((await Promise.all(calls)).map(({ id }) => id));
  expect(ids.size).toBe(1);
  const other = await errorOf(sms.messages.send({ to: '0911234567', text: 'Other' }, { idempotencyKey }));
  expect(other).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('an answer that does not come in time is an error that says so', async () => {
  proxy.faults.push('silence');
  const error = await errorOf(sms.messages.list({}, { timeoutSeconds: 0.1, maxRetries: 0 }).page());
  expect(error).toBeInstanceOf(SmsConnectionError);
  expect(String(error)).toContain('within 0.1 s');
});

test('the signal of the caller ends a call, while it waits for the answer and between repetitions', async () => {
  for (const fault of ['silence', problem(429, 'rate_limited', { 'Retry-After': '50' })] as const) {
    proxy.faults.push(fault);
    const controller = new AbortController();
    const answer = errorOf(sms.messages.get('some-id', {}, { signal: controller.signal }));
    const seen = proxy.requests.length;
    while (proxy.requests.length === seen) await new Promise(setImmediate);
    controller.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    expect(proxy.requests).toHaveLength(seen + 1);
  }
});

test('a redirect is not followed, so the key goes nowhere else', async () => {
  proxy.faults.push({ status: 307, headers: { Location: `${api.baseUrl}/elsewhere` }, body: '' });
  const error = await errorOf(sms.messages.list().page());
  expect(error).toMatchObject({ status: 307, code: 'http_error' });
  expect(String(error)).toContain(`redirects to ${api.baseUrl}/elsewhere`);
});

test('an answer that is no JSON says that baseUrl is wrong', async () => {
  proxy.faults.push({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>' });
  expect(
    String(await errorOf(sms.messages.send({ to: '0911234567', text: 'a' }, { maxRetries: 0 }))),
  ).toContain('baseUrl does not lead to the service');
});

test.each(['null', '[]', '{}', '{"data":5}'])('the answer %s is no page of a list', async (body) => {
  proxy.faults.push({ status: 200, headers: { 'Content-Type': 'application/json' }, body });
  const read = async (): Promise<void> => {
    for await (const { id } of sms.messages.list()) expect(id).toBeDefined();
  };
  const error = await errorOf(read());
  expect(error).toBeInstanceOf(SmsConnectionError);
  expect(String(error)).toContain('baseUrl does not lead to the service');
});

test('a page that names itself as the next one ends the list with an error', async () => {
  const body = JSON.stringify({ data: [], pagination: { limit: 50, nextCursor: 'same' } });
  const page = { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  proxy.faults.push(page, page);
  const read = async (): Promise<void> => {
    for await (const { id } of sms.messages.list()) expect(id).toBeDefined();
  };
  expect(String(await errorOf(read()))).toContain('names itself as the next one');
});

test.each(['', '.', '..'])('an id that is %j is refused before it can address something else', async (id) => {
  expect(await errorOf(sms.contacts.delete(id))).toBeInstanceOf(TypeError);
  expect(proxy.requests).toHaveLength(0);
});

test.each([
  ['an empty key', { apiKey: '' }],
  ['a key with a line break', { apiKey: 'sms_test_SECRET\n' }],
  ['a token with a space', { token: 'SECRET token' }],
  ['a key and a token', { apiKey: 'SECRET', token: 'SECRET' }],
  ['no URL', { apiKey: 'SECRET', baseUrl: 'sms.example.com' }],
  ['a URL without http', { apiKey: 'SECRET', baseUrl: 'localhost:3000' }],
  ['a URL with a password', { apiKey: 'SECRET', baseUrl: 'http://user:SECRET@127.0.0.1:3000' }],
  ['a URL with a query', { apiKey: 'SECRET', baseUrl: 'http://127.0.0.1:3000/?key=SECRET' }],
  ['the path of the API', { apiKey: 'SECRET', baseUrl: 'http://127.0.0.1:3000/api/v1/' }],
])('a client with %s is refused, without showing the credential', (_name, options) => {
  const create = (): SmsClient => new SmsClient({ baseUrl: proxy.baseUrl, ...options });
  expect(create).toThrow(TypeError);
  if (_name.includes('URL')) expect(create).toThrow(/baseUrl/);
  expect(create).not.toThrow(/SECRET/);
});

test('a client that is logged shows no credential', () => {
  const client = new SmsClient({ baseUrl: proxy.baseUrl, apiKey: 'SECRET' });
  expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain('SECRET');
});

test('a key of the caller that no header can hold is refused', async () => {
  const idempotencyKey = 'order\n1001';
  const error = await errorOf(sms.messages.send({ to: '0911234567', text: 'Selam' }, { idempotencyKey }));
  expect(error).toBeInstanceOf(TypeError);
  expect(proxy.requests).toHaveLength(0);
});

test('an id is one segment, whatever it contains', async () => {
  expect(await errorOf(sms.messages.get('a/b?c#d é'))).toMatchObject({ status: 404, code: 'not_found' });
  expect(proxy.requests[0]!.path).toBe('/api/v1/messages/a%2Fb%3Fc%23d%20%C3%A9');
});
