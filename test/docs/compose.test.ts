import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  loadApiConfig,
  loadDatabaseConfig,
  loadSimulatorConfig,
  loadWorkerConfig,
  variables,
} from '../../src/config.ts';
import { memoryVariables, nodeFlags } from '../../scripts/embedded/children.ts';
import { createMobileOriginatedUrl } from '../../src/gateway/kannel.ts';

interface Service {
  image?: string;
  environment?: Record<string, string>;
  ports?: string[];
  restart?: string;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };
const example = readFileSync('.env.example', 'utf8');
const given = [...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const);
/** .env.example with every secret filled in. */
const operator: Record<string, string> = Object.fromEntries(
  given.map(([name, value]) => [name, value || 'a-secret-of-at-least-32-characters']),
);

/** The environment of a service as Docker Compose gives it: variables replaced, with their defaults. */
function environmentOf(service: string, own: Record<string, string> = operator): Record<string, string> {
  return Object.fromEntries(
    Object.entries(compose.services[service]!.environment!).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, variable: string, kind?: string, word = '') => {
        if (own[variable]) return own[variable];
        if (kind === '?') throw new Error(`${variable} is not in .env.example`);
        return kind === '-' ? word : '';
      }),
    ]),
  );
}

const processes = {
  api: loadApiConfig,
  worker: loadWorkerConfig,
  migrate: loadDatabaseConfig,
  simulator: loadSimulatorConfig,
};

describe('docker-compose.yml', () => {
  test.each(Object.entries(processes))('gives %s all it needs', (service, load) => {
    expect(() => load(environmentOf(service))).not.toThrow();
  });

  test.each(Object.keys(processes))('gives %s only variables that the service reads', (service) => {
    const unknown = Object.keys(environmentOf(service)).filter((name) => !(name in variables.shape));
    expect(unknown).toEqual([]);
  });

  test('lets the gateway and the simulator call back where the worker says, and the api listen there', () => {
    const worker = loadWorkerConfig(environmentOf('worker'));
    const simulator = loadSimulatorConfig(environmentOf('simulator'));
    const api = loadApiConfig(environmentOf('api'));
    expect(worker.BASE_URL).toBe(`http://api:${api.PORT}`);
    expect(simulator.callbackBaseUrl).toBe(worker.BASE_URL);
    expect(worker.SIMULATOR_URL).toBe(`http://simulator:${simulator.port}/cgi-bin/sendsms`);
    expect(worker.GATEWAY_TOKEN).toBe(api.GATEWAY_TOKEN);
    expect([api.HOST, simulator.host]).toEqual(['0.0.0.0', '0.0.0.0']);
  });

  test('asks for nothing that .env.example does not name, and holds no secret of its own', () => {
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const named = [...example.matchAll(/^#?(\w+)=/gm)].map(([, name]) => name!);
    expect([...new Set(asked)].toSorted()).toEqual(named.toSorted());
    const secrets = Object.values(compose.services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|PWD|TOKEN|SECRET|PEPPER/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:(\?[^}]+|-)\}$/);
  });

  test('publishes nothing beyond loopback, unless the operator says so of the api', () => {
    const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(published).toEqual([
      '127.0.0.1:${TEMPORAL_UI_PORT:-8080}:8080',
      '${API_ADDRESS:-127.0.0.1}:${API_PORT:-3000}:3000',
    ]);
  });

  test('gives the api the proxies that the operator trusts, and none by default', () => {
    expect(loadApiConfig(environmentOf('api')).TRUST_PROXY).toBe(false);
    expect(loadApiConfig(environmentOf('api', { ...operator, TRUST_PROXY: '1' })).TRUST_PROXY).toBe(1);
  });

  test.each([
    ['POSTGRES_PASSWORD', ['migrate', 'api', 'worker']],
    ['GATEWAY_TOKEN', ['api', 'worker']],
    ['GATEWAY_PASSWORD', ['worker']],
    ['AUTH_SECRET', ['api']],
    ['SECURITY_CODE_PEPPER', ['api', 'worker']],
  ] as const)('with %s=change, %j do not start', (name, services) => {
    for (const service of services)
      expect(() => processes[service](environmentOf(service, { ...operator, [name]: 'change' }))).toThrow(
        'still a placeholder',
      );
  });

  test('starts every service again that fails', () => {
    for (const { restart } of Object.values(compose.services))
      expect(['unless-stopped', 'on-failure']).toContain(restart);
  });
});

const isInstalled = spawnSync('docker-compose', ['--version']).status === 0;
(isInstalled ? describe : describe.skip)('docker-compose', () => {
  test.each([
    ['accepts docker-compose.yml with all of .env.example filled in', operator, true],
    ...given
      .filter(([, value]) => value === '')
      .map(([name]): [string, Record<string, string>, boolean] => [
        `refuses it, by name, without ${name}`,
        { ...operator, [name]: '' },
        false,
      ]),
    ['refuses .env.example as it is', Object.fromEntries(given), false],
  ])('%s', (name, environment, isAccepted) => {
    const { status, stderr } = spawnSync('docker-compose', ['-f', 'docker-compose.yml', 'config', '-q'], {
      env: { PATH: process.env['PATH'], ...environment },
      encoding: 'utf8',
    });
    expect(status === 0).toBe(isAccepted);
    const [, missing] = /without (\w+)$/.exec(name) ?? [];
    if (missing !== undefined) expect(stderr).toContain(missing);
  });
});

describe('docker/kannel/kannel.conf', () => {
  /** What must differ: addresses, ports, paths and secrets. */
  const different =
    /-port$|-interface$|-host$|-ip$|-password$|^(username|password|store-location|dlr-spool|log-level|get-url|include)$/;

  test.each(['core', 'smsbox', 'sendsms-user', 'sms-service'])(
    'has in its group %s the settings of scripts/kannel/kannel.conf',
    (group) => {
      const settings = (file: string) =>
        readKannelGroup(file, group).filter(([name]) => !different.test(name));
      const expected = settings('scripts/kannel/kannel.conf');
      expect(expected.length).toBeGreaterThan(0);
      expect(settings('docker/kannel/kannel.conf')).toEqual(expected);
    },
  );

  test('gives inbound messages to the callback that the service has', () => {
    const url = new Map(readKannelGroup('docker/kannel/kannel.conf', 'sms-service')).get('get-url');
    const expected = createMobileOriginatedUrl({ baseUrl: 'http://api:3000', token: 'TOKEN' });
    expect(url).toBe(`"${expected.replace('TOKEN', '${GATEWAY_TOKEN}')}"`);
  });
});

function readKannelGroup(file: string, group: string): [name: string, value: string][] {
  const groups = readFileSync(file, 'utf8')
    .split(/^(?=group = )/m)
    .map((block) =>
      [...block.matchAll(/^([\w-]+) = (.*)$/gm)].map(([, name, value]): [string, string] => [name!, value!]),
    );
  return groups.find(([first]) => first?.[1] === group) ?? [];
}

test('Node has the same flags and variables in the image, in `npm run api` and `worker`, and under `npm start`', () => {
  const flags = nodeFlags.join(' ');
  const environment = Object.entries(memoryVariables).map(([name, value]) => `${name}=${value}`);
  expect(readFileSync('Dockerfile', 'utf8')).toContain(
    `\nENV NODE_OPTIONS="${flags}" ${environment.join(' ')}\n`,
  );
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['api', 'worker'])
    expect(scripts[name]).toBe(`${environment.join(' ')} node ${flags} src/${name}.ts`);
});
