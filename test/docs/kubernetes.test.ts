import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse, parseAllDocuments } from 'yaml';
import {
  loadApiConfig,
  loadDatabaseConfig,
  loadSimulatorConfig,
  loadWorkerConfig,
  variables,
} from '../../src/config.ts';
import { registry } from '../../src/metrics.ts';

interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
}
interface Container {
  command: string[];
  env: EnvironmentVariable[];
  envFrom?: unknown[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}
interface Pod {
  metadata: { labels: Record<string, string> };
  spec: { terminationGracePeriodSeconds?: number; securityContext: object; containers: [Container] };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: { template: Pod; metrics: { external?: { metric: { name: string } } }[] };
}

const directory = 'deploy/kubernetes';
const files = ['base', 'example'].flatMap((folder) =>
  readdirSync(join(directory, folder)).map((file) => join(directory, folder, file)),
);
const resources = files
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as Resource));
const find = (kind: string, name: string): Resource =>
  resources.find((one) => one.kind === kind && one.metadata.name === name)!;

const schemas = JSON.parse(readFileSync('test/fixtures/kubernetes-1.34.json', 'utf8')) as {
  kinds: Record<string, object>;
  $defs: object;
};
const ajv = new Ajv2020({ strict: false, validateFormats: false });

describe('deploy/kubernetes', () => {
  test.each(resources.map((one): [string, Resource] => [`${one.kind} ${one.metadata.name}`, one]))(
    '%s has the fields that Kubernetes knows',
    (_name, resource) => {
      const kind = schemas.kinds[`${resource.apiVersion}/${resource.kind}`];
      expect(kind).toBeDefined();
      const validate = ajv.compile({ ...kind, $defs: schemas.$defs });
      validate(resource);
      expect(validate.errors ?? []).toEqual([]);
    },
  );

  test('a field that Kubernetes does not know is found', () => {
    const validate = ajv.compile({ ...schemas.kinds['apps/v1/Deployment'], $defs: schemas.$defs });
    expect(validate({ ...find('Deployment', 'sms-api'), replica: 2 })).toBe(false);
  });

  test.each(['base', 'example'])('%s lists the files that it has', (folder) => {
    const { resources: listed } = parse(
      readFileSync(join(directory, folder, 'kustomization.yaml'), 'utf8'),
    ) as { resources: string[] };
    const own = readdirSync(join(directory, folder)).filter((file) => file !== 'kustomization.yaml');
    expect(listed.filter((file) => file !== '../base').toSorted()).toEqual(own.toSorted());
  });

  test.each([
    ['Deployment', 'sms-api', 'src/api.ts', loadApiConfig],
    ['Deployment', 'sms-worker', 'src/worker.ts', loadWorkerConfig],
    ['Deployment', 'sms-simulator', 'src/simulator.ts', loadSimulatorConfig],
    ['Job', 'sms-migrate', 'src/migrate.ts', loadDatabaseConfig],
  ] as const)(
    '%s %s gives %s all it needs, and refuses to start with the placeholders',
    (kind, name, program, load) => {
      const [container] = find(kind, name).spec.template.spec.containers;
      expect(container.command).toEqual(['node', program]);
      expect(() => load(environmentOf(container, 'a-secret-of-at-least-32-characters'))).not.toThrow();
      const usesSecrets = container.env.some(({ valueFrom }) => valueFrom !== undefined);
      if (usesSecrets) expect(() => load(environmentOf(container, 'change'))).toThrow('still a placeholder');
      const unknown = Object.keys(environmentOf(container, 'any')).filter((one) => !(one in variables.shape));
      expect(unknown).toEqual([]);
    },
  );

  test.each(['sms-api', 'sms-worker', 'sms-simulator'])(
    '%s is asked on its metrics port, and has time to finish',
    (name) => {
      const { spec } = find('Deployment', name).spec.template;
      const [container] = spec.containers;
      const { METRICS_PORT } = environmentOf(container, 'any');
      const port = container.ports!.find((one) => one.name === 'metrics')!;
      expect(String(port.containerPort)).toBe(METRICS_PORT);
      expect(container.livenessProbe!.httpGet).toEqual({ path: '/health/live', port: 'metrics' });
      expect(container.readinessProbe!.httpGet).toEqual({ path: '/health/ready', port: 'metrics' });
      // Activities have 8 seconds (src/temporal-workers.ts), and the preStop of the API takes 5.
      expect(spec.terminationGracePeriodSeconds!).toBeGreaterThanOrEqual(15);
    },
  );

  test.each([
    ['Deployment', 'sms-api'],
    ['Deployment', 'sms-worker'],
    ['Deployment', 'sms-simulator'],
    ['Job', 'sms-migrate'],
  ])('%s %s runs without root, without rights, and cannot write to its image', (kind, name) => {
    const { spec } = find(kind, name).spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('the workers are scaled by a metric that they have', () => {
    const [metric] = find('HorizontalPodAutoscaler', 'sms-worker').spec.metrics;
    const { name } = metric!.external!.metric;
    expect(registry.getSingleMetric(name)).toBeDefined();
    expect(readFileSync(join(directory, 'prometheus-adapter-rule.yaml'), 'utf8')).toContain(`as: ${name} `);
  });
});

/** The environment of a container, with one value for each password and secret. */
function environmentOf(container: Container, secret: string): Record<string, string> {
  const config = container.envFrom ? find('ConfigMap', 'sms-config').data! : {};
  const secrets = find('Secret', 'sms-secrets').stringData!;
  const own = container.env.flatMap(({ name, value, valueFrom }): [string, string][] => {
    if (value !== undefined) return [[name, value]];
    const { key, optional } = valueFrom!.secretKeyRef;
    if (optional) return [];
    return [[name, secrets[key]!.replace(/\bchange\b/, secret)]];
  });
  return { ...config, ...Object.fromEntries(own) };
}
