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
import { nodeFlags } from '../../scripts/embedded/children.ts';
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
const operator: Record<string, string> = {
  ...Object.fromEntries([...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!])),
  GATEWAY_TOKEN: 'a-token-of-24-characters',
  AUTH_SECRET: 'a-secret-of-at-least-32-characters',
  SECURITY_CODE_PEPPER: 'a-pepper-of-at-least-32-characters',
};

/** The environment of a service as Docker Compose gives it: variables replaced, with their defaults. */
function environmentOf(service: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(compose.services[service]!.environment!).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, variable: string, kind?: string, word = '') => {
        if (operator[variable]) return operator[variable];
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

  test('publishes nothing but the api beyond loopback', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
    );
    expect(published).toEqual(['api']);
  });

  test('starts every service again that fails', () => {
    for (const { restart } of Object.values(compose.services))
      expect(['unless-stopped', 'on-failure']).toContain(restart);
  });
});

const isInstalled = spawnSync('docker-compose', ['--version']).status === 0;
(isInstalled ? describe : describe.skip)('docker-compose', () => {
  test.each([
    ['accepts docker-compose.yml with .env.example', '.env.example', true],
    ['refuses it when nothing is set', '/dev/null', false],
  ])('%s', (_name, environmentFile, isAccepted) => {
    const { status } = spawnSync(
      'docker-compose',
      ['-f', 'docker-compose.yml', '--env-file', environmentFile, 'config', '-q'],
      { env: { PATH: process.env['PATH'] } },
    );
    expect(status === 0).toBe(isAccepted);
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

test('Node has the same flags in the image, in `npm run api` and `worker`, and under `npm start`', () => {
  const flags = nodeFlags.join(' ');
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`\nENV NODE_OPTIONS=${flags}\n`);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['api', 'worker']) expect(scripts[name]).toBe(`node ${flags} src/${name}.ts`);
});
