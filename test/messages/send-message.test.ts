import { openDatabase } from '../../src/open-database.ts';
import { createSecretSealer } from '../../src/messages/sealer.ts';
import { securityCodePepper, startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let live: string;
let testKey: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  tenant = await createTenant(db.database);
  live = await tenant.createKey();
  testKey = await tenant.createKey({ environment: 'test' });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Every row that a message could leave behind. */
async function countRows(): Promise<number> {
  const rows = await db.query<{ rows: string }>(
    `select (select count(*) from messages) + (select count(*) from message_events)
       + (select count(*) from webhook_deliveries) as rows`,
  );
  return Number(rows[0]!.rows);
}

const message = { to: '0911234567', text: 'Selam' };

describe('POST /api/v1/messages', () => {
  test('202 is answered once the message is committed, while Temporal is down', async () => {
    const answer = await api.call('POST', '/api/v1/messages', { key: live, json: message });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      organizationId: tenant.organizationId,
      from: tenant.sender,
      to: '+251911234567',
      text: 'Selam',
      status: 'queued',
      segments: 1,
      providerMessageId: null,
      errorCode: null,
      errorMessage: null,
      metadata: {},
      environment: 'live',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      acceptedAt: null,
      sentAt: null,
      deliveredAt: null,
      failedAt: null,
    });
    const stored = await db.query(`select status, recipient from messages where id = ?`, [answer.body.id]);
    expect(stored).toEqual([{ status: 'queued', recipient: '+251911234567' }]);
    const events = await db.query(`select kind, status from message_events where message_id = ?`, [
      answer.body.id,
    ]);
    expect(events).toEqual([{ kind: 'queued', status: 'queued' }]);
    const read = await api.call('GET', `/api/v1/messages/${answer.body.id}`, { key: live });
    expect(read.body).toEqual(answer.body);
  });

  test('the three encodings carry the same fields and get the same answer', async () => {
    const metadata = { orderId: 'A-1', nested: { list: ['x', 'y'] } };
    const webhook = { url: 'https://example.com/hook', secret: 'sixteen-characters' };
    const fields = { to: '+251911234567', text: 'ሰላም & more', from: 'ACME' };
    const bodies: Record<string, CallOptions> = {
      json: { json: { ...fields, metadata, webhook } },
      'urlencoded with brackets': {
        form: {
          ...fields,
          'metadata[orderId]': 'A-1',
          'metadata[nested][list][]': 'x',
          'metadata[nested][list][1]': 'y',
          'webhook[url]': webhook.url,
          'webhook[secret]': webhook.secret,
        },
      },
      'urlencoded with JSON strings': {
        form: { ...fields, metadata: JSON.stringify(metadata), webhook: JSON.stringify(webhook) },
      },
      'multipart with brackets': {
        multipart: {
          ...fields,
          'metadata[orderId]': 'A-1',
          'metadata[nested][list][0]': 'x',
          'metadata[nested][list][1]': 'y',
          'webhook[url]': webhook.url,
          'webhook[secret]': webhook.secret,
        },
      },
      'multipart with JSON strings': {
        multipart: { ...fields, metadata: JSON.stringify(metadata), webhook: JSON.stringify(webhook) },
      },
    };
    for (const [encoding, body] of Object.entries(bodies)) {
      const answer = await api.call('POST', '/api/v1/messages', { key: testKey, ...body });
      expect({ encoding, status: answer.status, body: answer.body }).toMatchObject({
        encoding,
        status: 202,
        body: { ...fields, metadata, segments: 1, environment: 'test' },
      });
      const [stored] = await db.query<{ url: string; organization: string; sealed: string }>(
        `select webhook_url as url, organization_id as organization,
           encode(sealed_webhook_secret, 'base64') as sealed from messages where id = ?`,
        [answer.body.id],
      );
      expect(stored!.url).toBe(webhook.url);
      const sealer = createSecretSealer({ pepper: securityCodePepper });
      expect(sealer.unseal(stored!.organization, stored!.sealed)).toBe(webhook.secret);
    }
  });

  test('metadata comes back as it was given: order of keys, numbers, unicode', async () => {
    const metadata = { z: 1, a: [null, true, 1.5, 'ሀ'], 'key with spaces': { b: {} } };
    const answer = await api.call('POST', '/api/v1/messages', { key: live, json: { ...message, metadata } });
    const read = await api.call('GET', `/api/v1/messages/${answer.body.id}`, { key: live });
    expect(JSON.stringify(read.body.metadata)).toBe(JSON.stringify(metadata));
  });

  test.each([
    ['header', (key: string) => ({ 'X-API-Key': key })],
    ['cookie', (key: string) => ({ Cookie: `other=1; apiKeyCookie=${key}` })],
    ['bearer', (key: string) => ({ Authorization: `Bearer ${key}` })],
  ])('a key is taken as %s', async (_carrier, headers) => {
    const answer = await api.call('POST', '/api/v1/messages', { headers: headers(live), json: message });
    expect(answer.status).toBe(202);
  });

  test('TEST is a sender for test keys only', async () => {
    const json = { ...message, from: 'TEST' };
    expect((await api.call('POST', '/api/v1/messages', { key: testKey, json })).status).toBe(202);
    expect((await api.call('POST', '/api/v1/messages', { key: live, json })).body.code).toBe(
      'sender_not_approved',
    );
  });

  test('a hundred requests at once are a hundred messages, and one bad among them fails alone', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        api.call('POST', '/api/v1/messages', {
          key: live,
          json: index === 50 ? { ...message, from: 'NOT-MINE' } : { ...message, text: `No. ${index}` },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(99);
    expect(answers[50]!.body.code).toBe('sender_not_approved');
    expect(new Set(answers.map(({ body }) => body.id ?? 'refused')).size).toBe(100);
    answers.forEach(({ status, body }, index) => status === 202 && expect(body.text).toBe(`No. ${index}`));
  });

  describe('bad input is told by status and code, and leaves no row', () => {
    const chars = (count: number, char = 'a'): string => char.repeat(count);
    const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    // prettier-ignore
    const table: [name: string, options: () => CallOptions, status: number, code: string, field?: string][] = [
      ['no body', () => ({}), 400, 'invalid_request', '/body'],
      ['empty JSON body', () => ({ raw: { type: 'application/json', body: '' } }), 400, 'invalid_request'],
      ['malformed JSON', () => ({ raw: { type: 'application/json', body: '{"to":' } }), 400, 'malformed_body'],
      ['JSON that is a string', () => ({ raw: { type: 'application/json', body: '"x"' } }), 400, 'invalid_request', '/body'],
      ['JSON that is an array', () => ({ json: [message] }), 400, 'invalid_request'],
      ['multipart without its boundary', () => ({ raw: { type: 'multipart/form-data', body: 'x' } }), 400, 'malformed_body'],
      ['multipart cut off', () => ({ raw: { type: 'multipart/form-data; boundary=b', body: '--b\r\nContent-Disposition: form-data; name="to"\r\n\r\n09' } }), 400, 'malformed_body'],
      ['a file where none belongs', () => ({ raw: { type: 'multipart/form-data; boundary=b', body: '--b\r\nContent-Disposition: form-data; name="to"; filename="a.txt"\r\n\r\n0911234567\r\n--b--\r\n' } }), 400, 'invalid_request'],
      ['XML', () => ({ raw: { type: 'application/xml', body: '<a/>' } }), 415, 'unsupported_media_type'],
      ['text without a type', () => ({ raw: { type: 'text/plain', body: 'to=1' } }), 415, 'unsupported_media_type'],
      ['an unknown charset', () => ({ raw: { type: 'application/json; charset=x-martian', body: '{}' } }), 415, 'unsupported_media_type'],
      ['a body of 2 MiB', () => ({ json: { ...message, text: chars(2 * 1024 * 1024) } }), 413, 'payload_too_large'],
      ['a form of 2 MiB', () => ({ form: { ...message, text: chars(2 * 1024 * 1024) } }), 413, 'payload_too_large'],
      ['multipart of 2 MiB', () => ({ multipart: { ...message, text: chars(2 * 1024 * 1024) } }), 413, 'payload_too_large'],
      ['a missing text', () => ({ json: { to: message.to } }), 400, 'invalid_request', '/body/text'],
      ['a missing recipient', () => ({ json: { text: 'x' } }), 400, 'invalid_request', '/body/to'],
      ['an unknown field', () => ({ json: { ...message, colour: 'red' } }), 400, 'invalid_request', '/body/colour'],
      ['an unknown field in a form', () => ({ form: { ...message, colour: 'red' } }), 400, 'invalid_request', '/body/colour'],
      ['__proto__', () => ({ raw: { type: 'application/json', body: '{"to":"0911234567","text":"x","__proto__":{"a":1}}' } }), 400, 'invalid_request'],
      ['an empty text', () => ({ json: { ...message, text: '' } }), 400, 'invalid_request', '/body/text'],
      ['1,601 characters', () => ({ json: { ...message, text: chars(1601) } }), 400, 'invalid_request', '/body/text'],
      ['1,601 characters beyond the BMP', () => ({ json: { ...message, text: chars(1601, '😀') } }), 400, 'invalid_request', '/body/text'],
      ['a number as text', () => ({ json: { ...message, text: 5 } }), 400, 'invalid_request', '/body/text'],
      ['a numeric recipient', () => ({ json: { ...message, to: 251911234567 } }), 400, 'invalid_request', '/body/to'],
      ['null as text', () => ({ json: { ...message, text: null } }), 400, 'invalid_request', '/body/text'],
      ['NUL in the text', () => ({ json: { ...message, text: 'a\0b' } }), 400, 'invalid_request', '/body/text'],
      ['half a surrogate pair in the text', () => ({ raw: { type: 'application/json', body: '{"to":"0911234567","text":"\\ud800"}' } }), 400, 'invalid_request', '/body/text'],
      ['NUL in a key of metadata', () => ({ json: { ...message, metadata: { 'a\0': 1 } } }), 400, 'invalid_request'],
      ['__proto__ within metadata', () => ({ raw: { type: 'application/json', body: '{"to":"0911234567","text":"x","metadata":{"__proto__":{"a":1}}}' } }), 400, 'invalid_request'],
      ['__proto__ in a form', () => ({ form: { ...message, '__proto__[x]': '1' } }), 400, 'invalid_request'],
      ['__proto__ within metadata in a form', () => ({ form: { ...message, 'metadata[__proto__][x]': '1' } }), 400, 'invalid_request'],
      ['__proto__ within metadata in multipart', () => ({ multipart: { ...message, 'metadata[__proto__][x]': '1' } }), 400, 'invalid_request'],
      ['a form nested 30 deep', () => ({ form: { ...message, [`metadata${'[a]'.repeat(30)}`]: '1' } }), 400, 'invalid_request'],
      ['multipart nested 30 deep', () => ({ multipart: { ...message, [`metadata${'[a]'.repeat(30)}`]: '1' } }), 400, 'invalid_request'],
      ['a number that would be rounded', () => ({ raw: { type: 'application/json', body: '{"to":"0911234567","text":"x","metadata":{"id":9007199254740993}}' } }), 400, 'invalid_request', '/body/metadata/id'],
      ['a number beyond all', () => ({ raw: { type: 'application/json', body: '{"to":"0911234567","text":"x","metadata":{"id":1e400}}' } }), 400, 'invalid_request', '/body/metadata/id'],
      ['JSON that is not UTF-8', () => ({ raw: { type: 'application/json', body: Buffer.from('{"to":"0911234567","text":"caf\xe9"}', 'latin1') } }), 400, 'malformed_body'],
      ['multipart that is not UTF-8', () => ({ raw: { type: 'multipart/form-data; boundary=b', body: Buffer.from('--b\r\nContent-Disposition: form-data; name="text"\r\n\r\ncaf\xe9\r\n--b--\r\n', 'latin1') } }), 400, 'malformed_body'],
      ['a form with an escape that is not UTF-8', () => ({ raw: { type: 'application/x-www-form-urlencoded', body: 'to=0911234567&text=%ff' } }), 400, 'malformed_body'],
      ['a form in Latin 1', () => ({ raw: { type: 'application/x-www-form-urlencoded; charset=iso-8859-1', body: 'to=0911234567&text=caf%e9' } }), 415, 'unsupported_media_type'],
      ['JSON in UTF-16', () => ({ raw: { type: 'application/json; charset=utf-16', body: Buffer.from('{}', 'utf16le') } }), 415, 'unsupported_media_type'],
      ['a part without a name', () => ({ raw: { type: 'multipart/form-data; boundary=b', body: '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n' } }), 400, 'malformed_body'],
      ['a number with a digit too many', () => ({ json: { ...message, to: '+111111111111' } }), 422, 'invalid_recipient', '/body/to'],
      ['metadata that is an array', () => ({ json: { ...message, metadata: [] } }), 400, 'invalid_request', '/body/metadata'],
      ['metadata that is a word in a form', () => ({ form: { ...message, metadata: 'x' } }), 400, 'invalid_request', '/body/metadata'],
      ['metadata nested 1,000 deep', () => ({ raw: { type: 'application/json', body: `{"to":"0911234567","text":"x","metadata":${deep(1000)}}` } }), 400, 'invalid_request'],
      ['a recipient of 7 characters', () => ({ json: { ...message, to: '0911234' } }), 400, 'invalid_request', '/body/to'],
      ['a recipient of 17 characters', () => ({ json: { ...message, to: '+2519112345678901' } }), 400, 'invalid_request', '/body/to'],
      ['a bad number', () => ({ json: { ...message, to: '0111234567890' } }), 422, 'invalid_recipient', '/body/to'],
      ['letters as a number', () => ({ json: { ...message, to: 'abcdefghij' } }), 422, 'invalid_recipient', '/body/to'],
      ['a sender of 21 characters', () => ({ json: { ...message, from: chars(21) } }), 400, 'invalid_request', '/body/from'],
      ['an unapproved sender', () => ({ json: { ...message, from: 'NOT-MINE' } }), 422, 'sender_not_approved', '/body/from'],
      ['a webhook without its url', () => ({ json: { ...message, webhook: {} } }), 400, 'invalid_request', '/body/webhook/url'],
      ['a webhook url of 2,049 characters', () => ({ json: { ...message, webhook: { url: `https://a.example/${chars(2048)}` } } }), 400, 'invalid_request', '/body/webhook/url'],
      ['a webhook secret of 15 characters', () => ({ json: { ...message, webhook: { url: 'https://a.example', secret: chars(15) } } }), 400, 'invalid_request', '/body/webhook/secret'],
      ['a webhook secret of 201 characters', () => ({ json: { ...message, webhook: { url: 'https://a.example', secret: chars(201) } } }), 400, 'invalid_request', '/body/webhook/secret'],
      ['a private webhook URL', () => ({ json: { ...message, webhook: { url: 'http://10.0.0.1/' } } }), 422, 'webhook_url_not_allowed', '/body/webhook/url'],
      ['the metadata service as webhook', () => ({ json: { ...message, webhook: { url: 'http://169.254.169.254/latest' } } }), 422, 'webhook_url_not_allowed'],
      ['a webhook URL of another scheme', () => ({ json: { ...message, webhook: { url: 'ftp://a.example/' } } }), 422, 'webhook_url_not_allowed'],
      ['a webhook URL that is none', () => ({ json: { ...message, webhook: { url: 'nonsense' } } }), 422, 'webhook_url_not_allowed'],
      ['another organization', () => ({ json: { ...message, organizationId: '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11' } }), 404, 'not_found'],
    ];

    // Rows without a field are shorter: as rest parameters, Jest does not take the missing one for `done`.
    test.each(table)('%s', async (...[_name, options, status, code, field]) => {
      const before = await countRows();
      const answer = await api.call('POST', '/api/v1/messages', { key: live, ...options() });
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body).toMatchObject({
        type: `${api.baseUrl}/errors/${code}`,
        title: expect.any(String),
        status,
        detail: expect.any(String),
        requestId: answer.headers.get('x-request-id'),
      });
      if (field) expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(field);
      expect(await countRows()).toBe(before);
    });
  });

  describe('a caller who may not send is told so, and leaves no row', () => {
    const revoked = { revokedAt: new Date() };
    const expired = { expiresAt: new Date(Date.now() - 1000) };
    const cases: [name: string, key: () => Promise<string | undefined>, status: number, code: string][] = [
      ['no key', async () => undefined, 401, 'unauthenticated'],
      ['nonsense as key', async () => 'nonsense', 401, 'unauthenticated'],
      [
        'a key with a typo',
        async () => live.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        401,
        'unauthenticated',
      ],
      ['a revoked key', () => tenant.createKey(revoked), 401, 'api_key_revoked'],
      ['an expired key', () => tenant.createKey(expired), 401, 'api_key_expired'],
      [
        'a key that may only read',
        () => tenant.createKey({ permissions: ['messages:read'] }),
        403,
        'permission_denied',
      ],
    ];
    test.each(cases)('%s', async (_name, key, status, code) => {
      const before = await countRows();
      const answer = await api.call('POST', '/api/v1/messages', { key: await key(), json: message });
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
      if (status === 403) expect(answer.body.detail).toContain('messages:send');
      expect(await countRows()).toBe(before);
    });
  });

  test('an organization without a default sender must name one', async () => {
    const key = await (await createTenant(db.database, { sender: null })).createKey();
    const answer = await api.call('POST', '/api/v1/messages', { key, json: message });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 422,
      code: 'sender_required',
    });
  });
});

test('when the database cannot be reached the answer is 503, and nothing was accepted; then all is well again', async () => {
  const proxy = await startTcpProxy(db.url);
  const database = await openDatabase({ url: proxy.url, poolSize: 5 });
  const otherApi = await startTestApi({ database });
  const send = () => otherApi.call('POST', '/api/v1/messages', { key: live, json: message });
  expect((await send()).status).toBe(202);
  const before = await countRows();
  await proxy.cut();
  const answer = await send();
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'unavailable' });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(JSON.stringify(answer.body)).not.toMatch(
    /select|insert|relation|postgres|127\.0\.0\.1:(?!\d+\/errors)/i,
  );
  expect(await countRows()).toBe(before);
  await proxy.restore();
  expect((await send()).status).toBe(202);
  await otherApi.stop();
  await database.close();
  await proxy.stop();
});
