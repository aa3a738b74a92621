import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../bench/service.ts';
import { startSimulator, type Simulator } from '../../src/gateway/simulator.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { until } from '../helpers/until.ts';

/** The rules are the operator's, with their times divided by this, so that a test need not wait for minutes. */
const speed = 30;

let service: BlackBox;
let gateway: Simulator;
let gatewayPort: number;
let apiPort: number;
let prometheus: ChildProcess;
let prometheusUrl: string;
let directory: string;
let sending: NodeJS.Timeout;

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;
if (!hasPrometheus)
  process.stderr.write('Prometheus is not installed: the alerts are not tried on a running service.\n');

beforeAll(async () => {
  if (!hasPrometheus) return;
  [apiPort, gatewayPort] = [await freePort(), await freePort()];
  gateway = await startGateway();
  service = await startBlackBox({ PORT: String(apiPort), GATEWAY_URL: gateway.url });
  directory = mkdtempSync(join(tmpdir(), 'sms-prometheus-'));
  const port = await freePort();
  prometheusUrl = `http://127.0.0.1:${port}`;
  writeConfiguration();
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--query.lookback-delta=3s',
    ],
    { stdio: 'ignore' },
  );
  // Usual traffic, live and test, with a webhook to a receiver that is gone when the test says so.
  sending = setInterval(() => void post('0911234567').catch(() => undefined), 100);
}, 120_000);

afterAll(async () => {
  clearInterval(sending);
  if (prometheus) {
    const exited = once(prometheus, 'exit');
    prometheus.kill('SIGTERM');
    await exited;
  }
  await service?.stop();
  await gateway?.stop();
  if (directory) rmSync(directory, { recursive: true, force: true });
}, 60_000);

const log = { info: () => undefined, warn: () => undefined };
const startGateway = (): Promise<Simulator> =>
  startSimulator({
    ...{ host: '127.0.0.1', port: gatewayPort, callbackBaseUrl: `http://127.0.0.1:${apiPort}`, log },
  });

let webhookUrl: string | undefined;
const post = (to: string) =>
  service.post(
    { to, text: 'Usual traffic', ...(webhookUrl && { webhook: { url: webhookUrl } }) },
    service.demo.liveApiKey,
  );

function writeConfiguration(): void {
  const rules = readFileSync(
    fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url)),
    'utf8',
  );
  // [2m] → [4s], for: 1m → 2s. A rate needs two samples, so no range is shorter than four scrapes.
  const faster = (minutes: number, unit: string): string =>
    `${Math.max(4, Math.round((minutes * (unit === 'h' ? 3600 : 60)) / speed))}s`;
  writeFileSync(
    join(directory, 'alerts.yml'),
    rules
      .replace(/\[(\d+)([mh])\]/g, (_, time: string, unit: string) => `[${faster(Number(time), unit)}]`)
      .replace(/for: (\d+)([mh])/g, (_, time: string, unit: string) => `for: ${faster(Number(time), unit)}`)
      // The age of a row is in seconds of the service, whose clock is not faster.
      .replace('sms_oldest_due_seconds) > 60', 'sms_oldest_due_seconds) > 12'),
  );
  const ports = JSON.parse(readFileSync(join(service.dataDir, 'ports.json'), 'utf8')) as Record<
    string,
    number
  >;
  const jobs = { 'sms-api': ports['apiMetrics'], 'sms-worker': ports['workerMetrics'] };
  writeFileSync(
    join(directory, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yml'],
      scrape_configs: Object.entries(jobs).map(([name, port]) => ({
        job_name: name,
        static_configs: [{ targets: [`127.0.0.1:${port}`] }],
      })),
    }),
  );
}

/** The alerts that fire now. */
async function firing(): Promise<string[]> {
  const response = await fetch(`${prometheusUrl}/api/v1/alerts`).catch(() => null);
  if (!response?.ok) return [];
  const { data } = (await response.json()) as {
    data: { alerts: { state: string; labels: { alertname: string } }[] };
  };
  return [
    ...new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)),
  ].sort();
}

const untilFiring = (alert: string) =>
  until(`the alert ${alert}`, async () => (await firing()).includes(alert), 60_000);
const untilQuiet = (alert: string) =>
  until(`the end of the alert ${alert}`, async () => !(await firing()).includes(alert), 90_000);

/** Resolves when Prometheus has scraped both jobs for long enough that every rule has its samples. */
async function untilScraped(): Promise<void> {
  await until(
    'samples of both jobs',
    async () => {
      const query = encodeURIComponent('count(count_over_time(up[10s]) > 8)');
      const response = await fetch(`${prometheusUrl}/api/v1/query?query=${query}`).catch(() => null);
      if (!response?.ok) return false;
      const body = (await response.json()) as { data?: { result: { value: [number, string] }[] } };
      return body.data?.result[0]?.value[1] === '2';
    },
    60_000,
  );
}

(hasPrometheus ? describe : describe.skip)('on the running service', () => {
  test('usual traffic fires no alert', async () => {
    await untilScraped();
    expect(await firing()).toEqual([]);
  }, 120_000);

  test('a gateway that refuses connections fires GatewayDown, which ends when it is back', async () => {
    await gateway.stop();
    await untilFiring('GatewayDown');
    gateway = await startGateway();
    expect(await untilQuiet('GatewayDown')).toBe(true);
  }, 180_000);

  test('a worker that hangs fires WorkerDown and lets rows wait, which ends when it goes on', async () => {
    await service.signal('worker', 'SIGSTOP');
    await untilFiring('WorkerDown');
    await service.signal('worker', 'SIGCONT');
    expect(await untilQuiet('WorkerDown')).toBe(true);
  }, 180_000);

  test('a receiver that is gone fires WebhooksFail, which ends when no webhook goes there', async () => {
    webhookUrl = `http://127.0.0.1:${await freePort()}/`;
    await untilFiring('WebhooksFail');
    webhookUrl = undefined;
    expect(await untilQuiet('WebhooksFail')).toBe(true);
  }, 180_000);

  test('a Temporal that does not respond fires TemporalDown, which ends when it does', async () => {
    await service.signal('temporal', 'SIGSTOP');
    await untilFiring('TemporalDown');
    await service.signal('temporal', 'SIGCONT');
    expect(await untilQuiet('TemporalDown')).toBe(true);
  }, 180_000);
});
