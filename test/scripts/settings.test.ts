import { resolve } from 'node:path';
import { announce } from '../../scripts/embedded/announce.ts';
import { isLoopbackHost, readStartSettings, type StartSettings } from '../../scripts/embedded/settings.ts';

describe('the settings of npm start', () => {
  it.each<[string, Record<string, string>, Partial<StartSettings>]>([
    [
      'have defaults',
      {},
      { port: 3000, host: '127.0.0.1', baseUrl: 'http://127.0.0.1:3000', dataDir: resolve('.data') },
    ],
    [
      'make BASE_URL of HOST and PORT',
      { HOST: 'localhost', PORT: '8080' },
      { baseUrl: 'http://localhost:8080' },
    ],
    ['put an IPv6 HOST in brackets', { HOST: '::1' }, { baseUrl: 'http://[::1]:3000' }],
    [
      'reach a server on all addresses by the loopback one',
      { HOST: '0.0.0.0' },
      { localUrl: 'http://127.0.0.1:3000' },
    ],
    ['reach a server on all IPv6 addresses likewise', { HOST: '::' }, { localUrl: 'http://[::1]:3000' }],
    [
      'keep the BASE_URL of the operator, and reach the API without it',
      { BASE_URL: 'https://sms.example.com' },
      { baseUrl: 'https://sms.example.com', localUrl: 'http://127.0.0.1:3000' },
    ],
    [
      'count empty variables as unset',
      { PORT: '', DATABASE_URL: '', GATEWAY_URL: '' },
      { port: 3000, databaseUrl: undefined, gatewayUrl: undefined },
    ],
    [
      'leave out empty variables for the parts',
      { LOG_LEVEL: '', GATEWAY_USERNAME: 'u' },
      { environment: { GATEWAY_USERNAME: 'u' } },
    ],
    [
      'take what the operator brings',
      {
        DATABASE_URL: 'postgres://a/b',
        GATEWAY_TOKEN: '0123456789abcdef',
        AUTH_SECRET: 'x',
        SECURITY_CODE_PEPPER: 'y',
        TEMPORAL_ADDRESS: 'a:7233',
      },
      {
        authSecret: 'x',
        securityCodePepper: 'y',
        databaseUrl: 'postgres://a/b',
        gatewayToken: '0123456789abcdef',
        temporalAddress: 'a:7233',
      },
    ],
  ])('%s', (_, variables, expected) => {
    expect(readStartSettings(variables)).toMatchObject(expected);
  });

  it.each([
    ['PORT', { PORT: 'eighty' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['BASE_URL', { BASE_URL: 'ftp://a' }],
    ['GATEWAY_TOKEN', { DATABASE_URL: 'postgres://a/b' }],
    ['AUTH_SECRET', { DATABASE_URL: 'postgres://a/b' }],
    ['SECURITY_CODE_PEPPER', { DATABASE_URL: 'postgres://a/b' }],
  ])('refuse, by name, a %s as in %j', (name, variables) => {
    expect(() => readStartSettings(variables)).toThrow(name);
  });
});

const comforts = { ALLOW_SIGN_UP: 'true', MAIL_TO_LOG: 'true', WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1' };
const none = { ALLOW_SIGN_UP: 'false', MAIL_TO_LOG: 'false', WEBHOOK_ALLOWED_HOSTS: '' };
const ownDatabase = {
  DATABASE_URL: 'postgres://a/b',
  GATEWAY_TOKEN: '0123456789abcdef',
  AUTH_SECRET: 'x',
  SECURITY_CODE_PEPPER: 'y',
};

describe('open sign-up, mails in the log and webhooks to this machine', () => {
  it.each<[string, Record<string, string>, Record<string, string>, string[]]>([
    ['are on while only this machine reaches the API', {}, comforts, []],
    ['are on at another loopback address', { HOST: '127.0.0.2' }, comforts, []],
    ['are off where others reach it', { HOST: '0.0.0.0' }, none, Object.keys(none)],
    ['are off at an address of a network', { HOST: '192.168.1.4' }, none, Object.keys(none)],
    [
      'are switched on one by one',
      { HOST: '::', ALLOW_SIGN_UP: 'true', MAIL_TO_LOG: '' },
      { ...none, ALLOW_SIGN_UP: 'true' },
      ['MAIL_TO_LOG', 'WEBHOOK_ALLOWED_HOSTS'],
    ],
    ['are all switched on', { HOST: '0.0.0.0', ...comforts }, comforts, []],
    [
      'are switched off',
      { ALLOW_SIGN_UP: 'false', MAIL_TO_LOG: 'false' },
      { ...comforts, ...none, WEBHOOK_ALLOWED_HOSTS: comforts.WEBHOOK_ALLOWED_HOSTS },
      [],
    ],
    [
      'are as in production with a database of the operator',
      { HOST: '0.0.0.0', ...ownDatabase },
      { ALLOW_SIGN_UP: '', MAIL_TO_LOG: '', WEBHOOK_ALLOWED_HOSTS: '' },
      [],
    ],
  ])('%s', (_, variables, demoVariables, withheld) => {
    const settings = readStartSettings(variables);
    expect(settings).toMatchObject({ demoVariables, withheld });
    const lines = announce(settings, { temporalUiUrl: undefined, metricsPort: 9464 }).join('\n');
    for (const [name, value] of Object.entries(comforts))
      expect(lines.includes(`  ${name}=${value} `)).toBe(withheld.includes(name));
  });

  it.each([
    ...['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'].map(
      (host) => [host, true] as const,
    ),
    ...[
      '0.0.0.0',
      '::',
      '10.0.0.1',
      '192.0.2.1',
      'fe80::1',
      '::ffff:10.0.0.1',
      'localhost.example.com',
      'sms',
    ].map((host) => [host, false] as const),
  ])('HOST=%s is loopback: %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected);
  });
});
