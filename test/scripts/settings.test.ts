import { resolve } from 'node:path';
import { readStartSettings, type StartSettings } from '../../scripts/embedded/settings.ts';

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
