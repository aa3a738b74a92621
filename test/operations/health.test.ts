import { pino } from 'pino';
import { metrics } from '../../src/metrics.ts';
import { createReadinessCheck, type Check } from '../../src/operations/readiness.ts';
import { serveOperations } from '../../src/operations/serve-operations.ts';
import { freePort } from '../../bench/service.ts';
import { startTestApi } from '../helpers/api.ts';
import { createTestDatabase } from '../helpers/databases.ts';
import { until } from '../helpers/until.ts';

const log = pino({ level: 'silent' });
const up = (part: Check['part']): Check => ({ part, isRequired: true, run: () => Promise.resolve() });
const down = (part: Check['part'], isRequired = true): Check => ({
  part,
  isRequired,
  run: () => Promise.reject(new Error('planted')),
});
const hanging: Check = { part: 'database', isRequired: true, run: () => new Promise(() => undefined) };

test('the API is ready without Temporal, because it still accepts messages, and not without the database', async () => {
  const { database, drop } = await createTestDatabase();
  const api = await startTestApi({ database });
  try {
    expect(await api.call('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await api.call('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', parts: { database: 'up', temporal: 'down' } },
    });
    await drop();
    const answer = await until('the database to be missing', async () => {
      const { status, body } = await api.call('GET', '/health/ready');
      return status === 503 && (body as object);
    });
    expect(answer).toEqual({ status: 'unavailable', parts: { database: 'down', temporal: 'down' } });
    expect(await api.call('GET', '/health/live')).toMatchObject({ status: 200 });
  } finally {
    await api.stop();
  }
});

test.each([
  ['all parts are up', [up('database'), up('worker')], true, { database: 'up', worker: 'up' }],
  ['a required part is down', [up('database'), down('worker')], false, { database: 'up', worker: 'down' }],
  ['a part hangs', [hanging, up('worker')], false, { database: 'down', worker: 'up' }],
  [
    'an optional part is down',
    [up('database'), down('temporal', false)],
    true,
    { database: 'up', temporal: 'down' },
  ],
])('readiness names the part that is missing: %s', async (_, checks, isReady, parts) => {
  expect(await createReadinessCheck(checks)()).toEqual({ isReady, parts });
});

test('the port for operators serves metrics and health, and nothing else', async () => {
  const port = await freePort();
  let measured = 0;
  const operations = await serveOperations({
    host: '127.0.0.1',
    port,
    checks: [up('database'), down('temporal', false), down('worker')],
    measures: [
      () => void (measured += 1),
      () => Promise.reject(new Error('a measure that fails leaves the others as they are')),
    ],
    extraMetrics: () => Promise.resolve('temporal_planted 1\n'),
    log,
  });
  try {
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      };
    };
    const scrapes = await Promise.all([get('/metrics'), get('/metrics')]);
    for (const { status, type, text } of scrapes) {
      expect(status).toBe(200);
      expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(text).toContain('nodejs_eventloop_lag_seconds');
      expect(text).toContain('temporal_planted 1');
    }
    expect(scrapes[0].text).toContain('sms_part_up{part="temporal"} 0');
    expect(scrapes[0].text).toContain('sms_part_up{part="database"} 1');
    expect(measured).toBe(1);
    expect(await get('/health/live')).toMatchObject({ status: 200 });
    const ready = await get('/health/ready');
    expect({ ...ready, text: JSON.parse(ready.text) as object }).toMatchObject({
      status: 503,
      text: { status: 'unavailable', parts: { database: 'up', temporal: 'down', worker: 'down' } },
    });
    expect(await get('/api/v1/messages')).toMatchObject({ status: 404 });
  } finally {
    await operations.stop();
  }
});

test("each metric has a name, a unit and labels that follow Prometheus' conventions", () => {
  const labels = new Set<string>();
  for (const metric of Object.values(metrics)) {
    const { name, help, labelNames } = metric as unknown as {
      name: string;
      help: string;
      labelNames: string[];
    };
    expect(name).toMatch(/^sms_[a-z_]+$/);
    expect(help).toMatch(/\.$/);
    const kind = metric.constructor.name;
    if (kind === 'Counter') expect(name).toMatch(/_total$/);
    else expect(name).not.toMatch(/_total$/);
    if (kind === 'Histogram') expect(name).toMatch(/_(seconds|rows)$/);
    for (const label of labelNames) labels.add(label);
  }
  // Each has a few values. An id, a number or a text as a label would make a series for each message.
  expect([...labels].sort()).toEqual([
    'error_code',
    'kind',
    'operation',
    'outcome',
    'part',
    'reason',
    'report',
    'route',
    'source',
    'state',
    'status',
  ]);
});
