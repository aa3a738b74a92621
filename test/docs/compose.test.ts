import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
  command?: string | string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  deploy?: { replicas: number };
  volumes?: string[];
  image?: string;
  environment?: Record<string, string>;
  ports?: string[];
  restart?: string;
}

const baseFile = 'docker-compose.yml';
const overrideFile = 'docker-compose.override.yml';
const scaleFile = 'docker-compose.scale.yml';
const texts = new Map(
  [baseFile, overrideFile, scaleFile].map((file) => [file, readFileSync(file, 'utf8')] as const),
);
const servicesOf = (file: string): Record<string, Service> =>
  (parse(texts.get(file)!, { merge: true }) as { services: Record<string, Service> }).services;
const compose = { services: servicesOf(baseFile) };
const scale = servicesOf(scaleFile);
const example = readFileSync('.env.example', 'utf8');
const given = [...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const);
/** .env.example with every secret filled in. */
const operator: Record<string, string> = Object.fromEntries(
  given.map(([name, value]) => [name, value || 'a-secret-of-at-least-32-characters']),
);

/** What only docker-compose.scale.yml asks for. */
const ofScale = [...texts.get(scaleFile)!.matchAll(/\$\{(\w+)/g)]
  .map(([, name]) => name!)
  .filter((name) => !texts.get(baseFile)!.includes(`\${${name}`));

/** The environment of a service as Docker Compose gives it: variables replaced, with their defaults. */
function environmentOf(
  service: string,
  own: Record<string, string> = operator,
  services: Record<string, Service> = compose.services,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services[service]!.environment!).map(([name, value]) => [
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
    const asked = [...[...texts.values()].join('').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const named = [...example.matchAll(/^#?(\w+)=/gm)].map(([, name]) => name!);
    expect([...new Set(asked)].toSorted()).toEqual(named.toSorted());
    const secrets = [...Object.values(compose.services), ...Object.values(scale)]
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|PWD|TOKEN|SECRET|PEPPER/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:(\?[^}]+|-)\}$/);
  });

  test('publishes nothing by itself, and with the override only on loopback, unless the operator says so of the api', () => {
    const published = (file: string) => Object.values(servicesOf(file)).flatMap(({ ports = [] }) => ports);
    expect(published(baseFile)).toEqual([]);
    expect(published(overrideFile)).toEqual([
      '${API_ADDRESS:-127.0.0.1}:${API_PORT:-3000}:3000',
      '127.0.0.1:${TEMPORAL_UI_PORT:-8080}:8080',
    ]);
  });

  test.each(['api', 'worker', 'simulator'])('asks %s on its metrics port whether it can work', (service) => {
    const { METRICS_HOST, METRICS_PORT } = environmentOf(service);
    expect(METRICS_HOST).toBe('0.0.0.0');
    expect(compose.services[service]!.healthcheck!.test!.at(-1)).toContain(
      `http://127.0.0.1:${METRICS_PORT}/health/ready`,
    );
    const scraped = readFileSync('deploy/prometheus/prometheus.yml', 'utf8');
    expect(scraped).toContain(`{ names: [${service}], type: A, port: ${METRICS_PORT} }`);
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
    const own = Object.entries(scale).filter(([name]) => !(name in compose.services));
    for (const { restart } of [...Object.values(compose.services), ...own.map(([, service]) => service)])
      expect(['unless-stopped', 'on-failure']).toContain(restart);
  });
});

describe('docker-compose.scale.yml', () => {
  test('runs two APIs and two workers, and publishes only the proxy, which the APIs trust', () => {
    expect([scale['api']!.deploy, scale['worker']!.deploy]).toEqual([{ replicas: 2 }, { replicas: 2 }]);
    const published = Object.entries(scale).filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name]) => name)).toEqual(['proxy']);
    const environment = { ...environmentOf('api'), ...scale['api']!.environment };
    expect(loadApiConfig(environment).TRUST_PROXY).toBe(1);
  });

  test('lets PostgreSQL keep the settings of docker-compose.yml', () => {
    const settings = (service: Service) => String(service.command).match(/-c \S+/g)!;
    expect(settings(scale['postgres']!)).toEqual(
      expect.arrayContaining(settings(compose.services['postgres']!)),
    );
  });

  test('gives the proxy every variable of its file, and asks for a login before the Temporal Web UI', () => {
    const file = readFileSync('docker/proxy/Caddyfile', 'utf8');
    const asked = [...file.matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name!);
    const passed = [...Object.keys(environmentOf('proxy', operator, scale)), 'OPERATOR_PASSWORD_HASH'];
    expect(passed).toEqual(expect.arrayContaining(asked));
    expect(file).toMatch(/\{\$TEMPORAL_UI_URL\} \{\n\timport operators\n/);
  });

  test('mounts only files that exist', () => {
    const mounted = Object.values(scale)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0]!)
      .filter((source) => source.startsWith('./'));
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((source) => !existsSync(source))).toEqual([]);
  });
});

const isInstalled = spawnSync('docker-compose', ['--version']).status === 0;
(isInstalled ? describe : describe.skip)('docker-compose', () => {
  const config = (files: string[], environment: Record<string, string>) =>
    spawnSync('docker-compose', [...files.flatMap((file) => ['-f', file]), 'config', '-q'], {
      env: { PATH: process.env['PATH'], ...environment },
      encoding: 'utf8',
    });

  test.each([[[baseFile, overrideFile]], [[baseFile, scaleFile]]])('accepts %j together', (files) => {
    expect(config(files, operator)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['TEMPORAL_UI_URL', 'GRAFANA_URL', 'OPERATOR_PASSWORD', 'GRAFANA_ADMIN_PASSWORD'])(
    'refuses docker-compose.scale.yml, by name, without %s',
    (name) => {
      const { status, stderr } = config([baseFile, scaleFile], { ...operator, [name]: '' });
      expect(status).not.toBe(0);
      expect(stderr).toContain(name);
    },
  );

  test.each([
    ['accepts docker-compose.yml with all of .env.example filled in', operator, true],
    ...given
      .filter(([name, value]) => value === '' && !ofScale.includes(name))
      .map(([name]): [string, Record<string, string>, boolean] => [
        `refuses it, by name, without ${name}`,
        { ...operator, [name]: '' },
        false,
      ]),
    ['refuses .env.example as it is', Object.fromEntries(given), false],
  ])('%s', (name, environment, isAccepted) => {
    const { status, stderr } = config([baseFile], environment);
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

test('the image runs without root, stops on SIGTERM, and tells on its metrics port whether it lives', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  for (const line of [
    'ENV METRICS_HOST=0.0.0.0 METRICS_PORT=9464',
    'USER 1000:1000',
    'STOPSIGNAL SIGTERM',
    'COPY --from=dependencies /service/node_modules node_modules',
  ])
    expect(dockerfile).toContain(`\n${line}\n`);
  const [, check] = /\nHEALTHCHECK [^[]*\\\n  CMD (\[.*\])\n/.exec(dockerfile)!;
  const [program, flag, code] = JSON.parse(check!) as string[];
  expect([program, flag]).toEqual(['node', '-e']);
  // Nothing listens on port 1, so the check must fail, and not for a mistake in its code.
  const { status, stderr } = spawnSync(process.execPath, ['-e', code!], {
    env: { METRICS_PORT: '1' },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
});

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
