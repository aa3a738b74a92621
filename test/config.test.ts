import {
  ConfigError,
  loadApiConfig,
  loadDatabaseConfig,
  loadSimulatorConfig,
  loadWorkerConfig,
} from '../src/config.ts';

const api = {
  DATABASE_URL: 'postgresql://sms@127.0.0.1/sms',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  GATEWAY_TOKEN: 'a-token-of-the-gateway',
  AUTH_SECRET: 'a-secret-of-at-least-32-characters',
  SECURITY_CODE_PEPPER: 'a-pepper-of-at-least-32-characters',
};
const worker = {
  ...api,
  GATEWAY_URL: 'http://127.0.0.1:13013/cgi-bin/sendsms',
  SIMULATOR_URL: 'http://127.0.0.1:13014/cgi-bin/sendsms',
};

test('each process needs its own variables and no others', () => {
  expect(loadDatabaseConfig({ DATABASE_URL: api.DATABASE_URL }).DATABASE_POOL_SIZE).toBe(10);
  expect(loadApiConfig(api).BASE_URL).toBe('http://127.0.0.1:3000');
  expect(loadWorkerConfig(worker).GATEWAY_URL).toBe(worker.GATEWAY_URL);
  expect(loadSimulatorConfig({ SIMULATOR_PORT: '5' })).toMatchObject({
    port: 5,
    callbackBaseUrl: 'http://127.0.0.1:3000',
  });
});

test.each([
  [{ HOST: '0.0.0.0', PORT: '80' }, 'http://127.0.0.1:80'],
  [{ HOST: '::1' }, 'http://[::1]:3000'],
  [{ BASE_URL: 'https://sms.example.com/' }, 'https://sms.example.com'],
])('with %j callbacks reach the API at %s', (given, expected) => {
  expect(loadApiConfig({ ...api, ...given }).BASE_URL).toBe(expected);
});

test.each([
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'GATEWAY_TOKEN',
  'AUTH_SECRET',
  'SECURITY_CODE_PEPPER',
] as const)(
  'if %s is unset or empty, the API does not start, and the error describes the variable',
  (name) => {
    for (const value of [undefined, '']) {
      expect(() => loadApiConfig({ ...api, [name]: value })).toThrow(ConfigError);
      expect(() => loadApiConfig({ ...api, [name]: value })).toThrow(`${name} is not set. `);
    }
  },
);

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'localhost'],
  ['BASE_URL', 'example.com'],
  ['GATEWAY_TOKEN', 'short'],
  ['SECURITY_CODE_PEPPER', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['WEBHOOK_ALLOWED_HOSTS', 'https://a.example/'],
  ['SUBMISSION_DOUBT_SECONDS', '-1'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => loadWorkerConfig({ ...worker, [name]: value })).toThrow(`\n  ${name}: `);
});

test.each(
  ['AUTH_SECRET', 'SECURITY_CODE_PEPPER', 'GATEWAY_TOKEN', 'GATEWAY_PASSWORD'].flatMap((name) =>
    ['change', 'CHANGE', 'changeme', 'change-me', 'change_it', 'change this'].map((value) => [name, value]),
  ),
)('%s=%s is refused as a placeholder, with advice and without the value', (name, value) => {
  const load = () =>
    (name === 'AUTH_SECRET' ? loadApiConfig : loadWorkerConfig)({ ...worker, [name]: value });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(
    new RegExp(`\\n  ${name}: is still a placeholder: generate one with .openssl rand -hex 24.$`),
  );
});

test.each([
  ['postgres://sms:change@db:5432/sms', true],
  ['postgresql://sms:change-me@db/sms', true],
  ['postgres://change@db/sms', false],
  ['postgres://sms:to-change@db/change', false],
  ['postgres://sms@db/sms', false],
  ['postgres://sms:100%@db/sms', false],
])('a DATABASE_URL as %s is refused for its password: %s', (given, isRefused) => {
  const load = () => loadDatabaseConfig({ DATABASE_URL: given });
  if (isRefused) expect(load).toThrow('DATABASE_URL: its password is still a placeholder');
  else expect(load).not.toThrow();
});

test('the keys that seal are read in their order, with colons in the key', () => {
  const [first, second] = ['k'.repeat(32), `${'l'.repeat(16)}:${'m'.repeat(16)}`];
  expect(loadApiConfig({ ...api, SEALING_KEYS: ` b:${first}, a:${second} ` }).SEALING_KEYS).toEqual([
    { id: 'b', secret: first },
    { id: 'a', secret: second },
  ]);
  expect(loadWorkerConfig(worker).SEALING_KEYS).toEqual([]);
});

test.each([
  ['no id', 'k'.repeat(40)],
  ['an empty id', `:${'k'.repeat(32)}`],
  ['an id that is too long', `${'i'.repeat(17)}:${'k'.repeat(32)}`],
  ['a key that is too short', `a:${'k'.repeat(31)}`],
  ['one id twice', `a:${'k'.repeat(32)},a:${'l'.repeat(32)}`],
])('sealing keys with %s are refused', (_what, SEALING_KEYS) => {
  expect(() => loadApiConfig({ ...api, SEALING_KEYS })).toThrow('SEALING_KEYS');
});

test('one error reports all problems', () => {
  expect(() => loadApiConfig({ PORT: 'x' })).toThrow(/DATABASE_URL[\s\S]*PORT[\s\S]*TEMPORAL_ADDRESS/);
});

test('hosts are read as a list', () => {
  const given = { ...api, WEBHOOK_ALLOWED_HOSTS: ' Localhost, 127.0.0.1:8080 ,' };
  expect(loadApiConfig(given).WEBHOOK_ALLOWED_HOSTS).toEqual(['localhost', '127.0.0.1:8080']);
});

test.each([
  ['AUTH_SECRET', 'short'],
  ['AUTH_TRUSTED_ORIGINS', 'example.com'],
  ['SMTP_URL', 'http://mail.example.com'],
  ['MAIL_TO_LOG', 'yes'],
  ['OIDC_ISSUER', 'idp.example.com'],
  ['OIDC_PROVIDER_ID', 'a/b'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => loadApiConfig({ ...api, [name]: value })).toThrow(name);
});

test('origins are read as a list, without their paths', () => {
  const { AUTH_TRUSTED_ORIGINS } = loadApiConfig({
    ...api,
    AUTH_TRUSTED_ORIGINS: 'https://a.example/x, http://b:81',
  });
  expect(AUTH_TRUSTED_ORIGINS).toEqual(['https://a.example', 'http://b:81']);
});

test.each([
  [undefined, false],
  ['', false],
  ['0', false],
  ['false', false],
  ['2', 2],
  ['loopback, 10.0.0.0/8,fd00::/8,192.0.2.1', ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1']],
])('TRUST_PROXY=%s trusts %j', (given, expected) => {
  expect(loadApiConfig({ ...api, TRUST_PROXY: given }).TRUST_PROXY).toEqual(expected);
});

test.each(['true', '*', '-1', '1.5', 'proxy.example.com', '10.0.0.0/33', '10.0.0.0/', '10.0.0.1,', '::/129'])(
  'TRUST_PROXY=%s is refused: it would trust everybody, or nobody knows whom',
  (given) => {
    expect(() => loadApiConfig({ ...api, TRUST_PROXY: given })).toThrow(
      'TRUST_PROXY: must be a number of hops',
    );
  },
);
