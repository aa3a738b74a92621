import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Prints which modules of OpenTelemetry are loaded by the code of both processes and by the start of tracing, what the
 * work in a span returns, and what was logged until tracing ended.
 */
const program = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({
    load: (url, context, next) => {
      const found = /@opentelemetry\\/([a-z-]+)/.exec(url);
      if (found) loaded.add(found[1]);
      return next(url, context);
    },
  });
  const at = (path) => import(new URL(path, 'file://' + process.cwd() + '/').href);
  for (const path of ['src/app.ts', 'src/temporal-workers.ts', 'activities/index.ts']) await at(path);
  const { startTracing } = await at('src/start-tracing.ts');
  const { inSpan, isTracing } = await at('src/tracing.ts');
  const endpoint = process.env.ENDPOINT;
  const settings = { OTEL_TRACES_SAMPLER_ARG: 1, ...(endpoint && { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) };
  const logged = [];
  const stop = await startTracing('test', settings, { warn: (_facts, message) => logged.push(message) });
  const result = await inSpan('work', { parent: undefined }, () => Promise.resolve('done'));
  await stop();
  process.stdout.write(JSON.stringify({ isTracing: isTracing(), loaded: [...loaded], result, logged }));
`;

interface Loaded {
  isTracing: boolean;
  loaded: string[];
  result: string;
  logged: string[];
}

async function load(endpoint: string): Promise<Loaded> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ENDPOINT: endpoint },
  });
  return JSON.parse(stdout) as Loaded;
}

test('without an endpoint no exporter and no SDK is loaded, and nothing is traced', async () => {
  const { isTracing, loaded, result } = await load('');
  expect(isTracing).toBe(false);
  expect(result).toBe('done');
  // better-auth loads the names of attributes.
  expect(loaded.filter((name) => name !== 'semantic-conventions')).toEqual(['api']);
}, 60_000);

test('with an endpoint they are loaded; if it cannot be reached, that is logged, and work and stop go on', async () => {
  const { isTracing, loaded, result, logged } = await load('http://127.0.0.1:1');
  expect(isTracing).toBe(true);
  expect(result).toBe('done');
  expect(logged).toEqual(['traces cannot be exported; their spans are dropped']);
  expect(loaded).toEqual(expect.arrayContaining(['api', 'sdk-trace', 'exporter-trace-otlp-http']));
}, 60_000);
