import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { registry } from '../../src/metrics.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rulesFile = join(root, 'deploy/prometheus/alerts.yml');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
const { rules } = (parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups[0]!;

/** A series of samples, one a minute, in promtool's notation: `0+60x20` begins at 0 and adds 60, twenty times. */
type Series = Record<string, string>;

const attempts = (outcome: string) => `sms_webhook_attempts_total{outcome="${outcome}"}`;
const submissions = (outcome: string) =>
  `sms_gateway_submissions_total{route="gateway",outcome="${outcome}",reason=""}`;
const reached = (status: string) => `sms_messages_reached_status_total{status="${status}"}`;
const requests = (status: string) =>
  `sms_http_request_duration_seconds_count{operation="sendMessage",status="${status}"}`;
const bucket = (le: string) =>
  `sms_http_request_duration_seconds_bucket{operation="sendMessage",status="202",le="${le}"}`;

/** For each alert: series during its trouble, and series at which it must stay quiet. Both are evaluated after an hour. */
const recorded: Record<string, { trouble: Series; usual: Series }> = {
  ApiDown: {
    trouble: { 'up{job="sms-api",instance="a"}': '1x30 0x60' },
    // One of two processes is being replaced.
    usual: { 'up{job="sms-api",instance="a"}': '0x90', 'up{job="sms-api",instance="b"}': '1x90' },
  },
  WorkerDown: {
    trouble: {
      'up{job="sms-worker",instance="a"}': '1x90',
      'sms_part_up{job="sms-worker",part="worker"}': '0x90',
    },
    usual: {
      'up{job="sms-worker",instance="a"}': '1x90',
      'sms_part_up{job="sms-worker",part="worker"}': '1x90',
    },
  },
  DatabaseDown: {
    trouble: { 'sms_part_up{job="sms-api",part="database"}': '1x30 0x60' },
    usual: { 'sms_part_up{job="sms-api",part="database"}': '1x90' },
  },
  TemporalDown: {
    trouble: {
      'sms_part_up{job="sms-api",part="temporal"}': '0x90',
      'sms_part_up{job="sms-worker",part="temporal"}': '0x90',
    },
    usual: {
      'sms_part_up{job="sms-api",part="temporal"}': '0x90',
      'sms_part_up{job="sms-worker",part="temporal"}': '1x90',
    },
  },
  GatewayDown: {
    // At low traffic the pauses between attempts are longer than the window of the rate.
    trouble: { 'sms_gateway_up{route="gateway"}': '1x20 0x70', [submissions('unavailable')]: '3x90' },
    usual: {
      'sms_gateway_up{route="gateway"}': '1x90',
      [submissions('unavailable')]: '0+10x90',
      [submissions('accepted')]: '0+60x90',
    },
  },
  RowsWait: {
    trouble: { 'sms_oldest_due_seconds{kind="messages"}': '0+60x90' },
    usual: { 'sms_oldest_due_seconds{kind="messages"}': '30x90' },
  },
  RowsWithoutDispatch: {
    trouble: { 'sms_rows_without_dispatch{kind="messages"}': '0+100x90' },
    usual: { 'sms_rows_without_dispatch{kind="messages"}': '500x90' },
  },
  ReportsMissing: {
    trouble: {
      [submissions('accepted')]: '0+60x90',
      'sms_delivery_reports_total{report="delivered"}': '600x90',
    },
    usual: {
      [submissions('accepted')]: '0+60x90',
      'sms_delivery_reports_total{report="delivered"}': '0+60x90',
    },
  },
  MessagesFail: {
    trouble: { [reached('failed')]: '0+30x90', [reached('delivered')]: '0+70x90' },
    usual: { [reached('failed')]: '0+10x90', [reached('delivered')]: '0+90x90' },
  },
  WebhooksFail: {
    trouble: { [attempts('retrying')]: '0+60x90', [attempts('delivered')]: '0+10x90' },
    usual: { [attempts('retrying')]: '0+10x90', [attempts('delivered')]: '0+60x90' },
  },
  DeadLettersGrow: {
    trouble: { 'sms_webhook_deliveries{status="dead"}': '0+5x90' },
    usual: { 'sms_webhook_deliveries{status="dead"}': '5000x90' },
  },
  SecurityCodesUnverified: {
    trouble: { 'sms_security_code_alarms{state="refused"}': '0x50 1x40' },
    usual: { 'sms_security_code_alarms{state="refused"}': '0x90' },
  },
  ApiErrors: {
    trouble: { [requests('202')]: '0+90x90', [requests('500')]: '0+10x90' },
    usual: { [requests('202')]: '0+90x90', [requests('400')]: '0+50x90', [requests('500')]: '0x90' },
  },
  ApiSlow: {
    trouble: { [bucket('2.5')]: '0+50x90', [bucket('5')]: '0+100x90', [bucket('+Inf')]: '0+100x90' },
    usual: { [bucket('0.5')]: '0+100x90', [bucket('5')]: '0+100x90', [bucket('+Inf')]: '0+100x90' },
  },
  SweepStarts: {
    trouble: { 'sms_sweep_starts_total{kind="messages"}': '0+5x90' },
    usual: { 'sms_sweep_starts_total{kind="messages"}': '0+1x90' },
  },
  DatabasePoolFull: {
    trouble: { 'sms_database_connections{job="sms-api",state="waiting"}': '50x90' },
    usual: { 'sms_database_connections{job="sms-api",state="waiting"}': '2x90' },
  },
  EventLoopBlocked: {
    trouble: { 'nodejs_eventloop_lag_p99_seconds{job="sms-api"}': '1x90' },
    usual: { 'nodejs_eventloop_lag_p99_seconds{job="sms-api"}': '0.05x90' },
  },
};

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  process.stderr.write('promtool (package prometheus) is not installed: the alerts are not evaluated.\n');

test('each alert has recorded series, and each recorded series an alert', () => {
  expect(Object.keys(recorded).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

(hasPromtool ? describe : describe.skip)('promtool', () => {
  test.each(rules.map(({ alert }) => alert))(
    'the alert %s fires on the series of its trouble, and stays quiet on usual ones',
    (alert) => {
      const { trouble, usual } = recorded[alert]!;
      const firing = `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
      const testOf = (series: Series, fires: boolean) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          { expr: firing, eval_time: '60m', exp_samples: fires ? [{ labels: '{}', value: 1 }] : [] },
        ],
      });
      const directory = mkdtempSync(join(tmpdir(), 'sms-alerts-'));
      try {
        const file = join(directory, 'test.yml');
        const tests = [testOf(trouble, true), testOf(usual, false)];
        writeFileSync(file, stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }));
        const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
          encoding: 'utf8',
        });
        expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
  );

  test.each([
    ['rules', ['check', 'rules', rulesFile]],
    ['configuration', ['check', 'config', '--syntax-only', join(root, 'deploy/prometheus/prometheus.yml')]],
  ])('finds no mistake in the %s', (_, given) => {
    expect(execFileSync('promtool', given, { encoding: 'utf8' })).toContain('SUCCESS');
  });
});

test('alerts and dashboard read only metrics that exist', async () => {
  const own = new Set((await registry.getMetricsAsJSON()).map(({ name }) => name));
  const dashboard = readFileSync(join(root, 'deploy/grafana/sms-service.json'), 'utf8');
  const read = [readFileSync(rulesFile, 'utf8'), dashboard].flatMap(
    (text) => text.match(/\bsms_[a-z_]+/g) ?? [],
  );
  const names = new Set(read.map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  expect([...names].filter((name) => !own.has(name))).toEqual([]);
  expect([...own].filter((name) => !names.has(name))).toEqual([]);
});

test('each alert has a section in the runbook, and a severity', () => {
  const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
  const anchors = new Set([...runbook.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase()));
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(anchors).toContain(alert.toLowerCase());
    expect(['page', 'ticket']).toContain(labels.severity);
  }
});
