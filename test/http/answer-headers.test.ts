/** A test over openapi.yaml: which headers each answer has. */
import { headersOfAll } from '../../src/http/answer-headers.ts';
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOperationCaller, type OperationCaller } from '../helpers/operations.ts';

let db: TestDatabase;
let api: TestApi;
let caller: OperationCaller;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  caller = await createOperationCaller(api, db);
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

const operations = loadContract().operations.map((operation): [string, Operation] => [
  `${operation.method} ${operation.path}`,
  operation,
]);

test.each(operations)(
  '%s is not stored by caches if it is for one caller, and is never sniffed',
  async (name, operation) => {
    const isForAll = name === 'GET /health';
    const strangers = await api.call(operation.method, operation.path.replace(/\{\w+\}/g, 'x'));
    const answers = operation.path.endsWith('/notifications/stream')
      ? [strangers]
      : [strangers, await caller.call(operation)];
    for (const { headers } of answers) {
      expect({ cache: headers.get('cache-control'), type: headers.get('x-content-type-options') }).toEqual({
        cache: isForAll ? null : 'no-store',
        type: 'nosniff',
      });
    }
  },
);

test.each(['/nothing', '/docs', '/errors', '/openapi.yaml', '/'])('%s is never sniffed', async (path) => {
  const { headers } = await api.call('GET', path);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toBeNull();
});

test.each([
  ['https://sms.example.com', 'max-age=31536000'],
  ['http://127.0.0.1:3000', undefined],
])('an API at %s asks for Strict-Transport-Security %s', (baseUrl, value) => {
  expect(headersOfAll(baseUrl)['Strict-Transport-Security']).toBe(value);
});

test.each([
  ['/health', "default-src 'none'; frame-ancestors 'none'", 'no-referrer'],
  ['/api/v1/messages', "default-src 'none'; frame-ancestors 'none'", 'no-referrer'],
  ['/nothing', "default-src 'none'; frame-ancestors 'none'", 'no-referrer'],
  ['/openapi.yaml', "script-src 'self'", 'no-referrer'],
  ['/docs/', "script-src 'self'", 'no-referrer'],
  ['/docs/api', "script-src 'self'", 'no-referrer'],
  ['/errors', "script-src 'self'", 'no-referrer'],
  ['/console/', "require-trusted-types-for 'script'", 'same-origin'],
])(
  '%s has a policy with %s, and may not be framed or loaded by other sites',
  async (path, policy, referrer) => {
    const { headers } = await api.call('GET', path);
    const given = headers.get('content-security-policy')!;
    expect(given).toContain(policy);
    expect(given).toContain("default-src 'none'");
    expect(given).toContain("frame-ancestors 'none'");
    expect(given).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe(referrer);
    expect(headers.get('x-powered-by')).toBeNull();
  },
);
