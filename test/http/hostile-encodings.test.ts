/** Hostile bodies in each of the three encodings: each is refused with a clear 4xx, and no message is stored. */
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  key = await (await createTenant(db.database)).createKey();
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parts = (...all: string[]): string => `${all.join('')}--b--\r\n`;
const [to, text] = [part('to', '0911234567'), part('text', 'x')];
const message = '"to":"0911234567","text":"x"';
const deep = (count: number): string => '[x]'.repeat(count);
const bytes = (...chunks: (string | number[])[]): Buffer =>
  Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk))));

const rows: [what: string, type: string, body: string | Buffer][] = [
  ['nesting of 100,000 levels', json, `{${message},"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['nesting of 100,000 levels', form, `to=0911234567&text=x&metadata${deep(100_000)}=1`],
  ['nesting of 21 levels', form, `to=0911234567&text=x&metadata${deep(21)}=1`],
  ['nesting of 21 levels', multipart, parts(to, text, part(`metadata${deep(21)}`, '1'))],
  ['100,000 fields', json, `{${message},${Array.from({ length: 100_000 }, (_, n) => `"f${n}":1`).join()}}`],
  ['100,000 fields', form, Array.from({ length: 100_000 }, (_, n) => `f${n}=1`).join('&')],
  ['20,000 fields', multipart, parts(...Array.from({ length: 20_000 }, (_, n) => part(`f${n}`, '')))],
  ['a field named __proto__', json, `{${message},"metadata":{"__proto__":{"a":"1"}}}`],
  ['a field named __proto__', form, 'to=0911234567&text=x&metadata[__proto__][a]=1'],
  ['a field named __proto__', multipart, parts(to, text, part('metadata[__proto__][a]', '1'))],
  ['__proto__ at the top', json, `{${message},"__proto__":{"from":"ACME"}}`],
  ['__proto__ at the top', form, 'to=0911234567&text=x&__proto__[from]=ACME'],
  ['__proto__ at the top', multipart, parts(to, text, part('__proto__[from]', 'ACME'))],
  ['constructor[prototype] at the top', json, `{${message},"constructor":{"prototype":{"a":1}}}`],
  ['constructor[prototype] at the top', form, 'to=0911234567&text=x&constructor[prototype][a]=1'],
  ['constructor[prototype] at the top', multipart, parts(to, text, part('constructor[prototype][a]', '1'))],
  ['NUL in a text', json, '{"to":"0911234567","text":"a\\u0000b"}'],
  ['NUL in a text', form, 'to=0911234567&text=a%00b'],
  ['NUL in a text', multipart, parts(to, part('text', 'a\0b'))],
  ['UTF-8 that is broken', json, bytes('{"to":"0911234567","text":"', [0xc3, 0x28], '"}')],
  ['UTF-8 that is broken', form, 'to=0911234567&text=%C3%28'],
  [
    'UTF-8 that is broken',
    multipart,
    bytes(to, '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n', [0xc3, 0x28], '\r\n--b--\r\n'),
  ],
  ['a lone surrogate', json, '{"to":"0911234567","text":"\\ud800"}'],
  ['a surrogate as UTF-8', form, 'to=0911234567&text=%ED%A0%80'],
  ['a field twice', form, 'to=0911234567&to=0922345678&text=x'],
  ['a field twice', multipart, parts(to, part('to', '0922345678'), text)],
  ['no boundary', 'multipart/form-data', parts(to, text)],
  ['another boundary', 'multipart/form-data; boundary=c', parts(to, text)],
  ['no end', multipart, `${to}${text}`],
  ['a part without a name', multipart, parts(to, text, '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n')],
  [
    'a part header of 1 MB',
    multipart,
    parts(to, text, part('metadata[a]', '1', `; x="${'a'.repeat(1_000_000)}"`)),
  ],
  [
    '10,000 part headers',
    multipart,
    parts(
      to,
      text,
      `--b\r\n${'X: y\r\n'.repeat(10_000)}Content-Disposition: form-data; name="from"\r\n\r\nx\r\n`,
    ),
  ],
  ['a name of 100,000 characters', multipart, parts(to, text, part('n'.repeat(100_000), '1'))],
  ['nothing', json, ''],
  ['nothing', multipart, ''],
];

test.each(rows)('%s in %s is refused, and stores nothing', async (_what, type, body) => {
  const answer = await api.call('POST', '/api/v1/messages', { key, raw: { type, body } });
  expect([400, 413, 415, 422]).toContain(answer.status);
  expect(answer.body.code).toMatch(/^[a-z_]+$/);
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  expect(({} as Record<string, unknown>)['a'] ?? ({} as Record<string, unknown>)['from']).toBeUndefined();
  expect(await db.query('select 1 from messages')).toEqual([]);
});
