/**
 * `npm run chaos -- --seed N --minutes M`: runs the whole service under faults that follow from the seed, lets it settle,
 * and compares what was promised with what became of it. docs/reliability.md explains it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectRows, countMessages } from './collect-rows.ts';
import { createCaller } from './clients/caller.ts';
import { prepareClients, type Clients } from './clients/run-clients.ts';
import type { Evidence, Totals } from './evidence.ts';
import { injectFaults, type Injection } from './inject.ts';
import { describeFault, planFaults, temporalNames, type TemporalName } from './plan.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { countOutcome, describeSummary, summarizeRun } from './report.ts';
import { heal, settle, type Settled } from './settle.ts';
import { gatewayNames, type GatewayName } from './world/gateway.ts';
import { startWorld, type World } from './world/world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    minutes: { type: 'string', default: '1' },
    /** Clients that begin in a second. */
    rate: { type: 'string', default: '20' },
    /** Seconds until what is open counts as stuck. */
    settle: { type: 'string', default: '600' },
    /** `simulator`, or `kannel` for the real one. */
    gateway: { type: 'string', default: 'simulator' },
    /** `development`, on a file, or `postgresql` for the server of production on a PostgreSQL of its own. */
    temporal: { type: 'string', default: 'development' },
    /** A file for the outcome in numbers. */
    json: { type: 'string' },
    /** Prints the plan and ends. */
    plan: { type: 'boolean', default: false },
  },
});
const options = {
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  ratePerSecond: Number(values.rate),
  gatewayName: values.gateway as GatewayName,
  temporalName: values.temporal as TemporalName,
};
const isUsable =
  Number.isInteger(options.seed) &&
  [options.minutes, options.ratePerSecond, Number(values.settle)].every((value) => value > 0) &&
  gatewayNames.includes(options.gatewayName) &&
  temporalNames.includes(options.temporalName);
if (!isUsable) {
  process.stderr.write(
    'Usage: npm run chaos -- [--seed INTEGER] [--minutes N] [--rate PER_SECOND] [--settle SECONDS] ' +
      `[--gateway ${gatewayNames.join('|')}] [--temporal ${temporalNames.join('|')}] [--json FILE] [--plan]\n`,
  );
  process.exit(2);
}
const durationSeconds = options.minutes * 60;
const outputDir = fileURLToPath(new URL(`../.cache/chaos/seed-${options.seed}`, import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const plan = planFaults(options.seed, durationSeconds, options.temporalName);
say(`Seed ${options.seed}: ${plan.length} faults in ${durationSeconds} s.`);
if (values.plan) say(plan.map(describeFault).join('\n'));
else process.exitCode = await run();

async function run(): Promise<number> {
  rmSync(outputDir, { recursive: true, force: true });
  mkdirSync(outputDir, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'sms-chaos-'));
  say('Starting PostgreSQL, Temporal, two APIs and two workers …');
  const world = await startWorld({ ...options, dataDir, logDir: join(outputDir, 'logs') });
  const stop = async (): Promise<void> => {
    await world.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const stopped = stopOnSignal(stop);
  try {
    const clients = await prepareClients(world, { ...options, durationSeconds });
    const injection = injectFaults(world, plan, (fault) => say(describeFault(fault)));
    await Promise.all([clients.run(), injection.done]);
    say('All faults have ended. Settling …');
    await heal(world);
    const wasWiped = injection.made.some(({ fault }) => fault.kind === 'wipe-temporal');
    const timeoutSeconds = Number(values.settle);
    const settled = await settle(world, clients, { timeoutSeconds, wasWiped, show: say });
    await clients.giveUp();
    const evidence = await collect(world, clients, injection, settled);
    const findings = reconcile(evidence);
    if (values.json !== undefined) {
      writeFileSync(values.json, `${JSON.stringify(countOutcome(options.seed, evidence, findings))}\n`);
    }
    const summary = summarizeRun({ options, evidence, findings, settled, leftOut: injection.leftOut });
    writeFileSync(join(outputDir, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
    if (findings.length > 0) writeEvidence(evidence);
    say(`\n${describeSummary(summary)}`);
    say(`The logs and summary.json are in ${outputDir}.`);
    return findings.length > 0 ? 1 : 0;
  } finally {
    stopped();
    await stop();
  }
}

/** Calls a function when the run is interrupted, and then ends. Returns the function that ends this. */
function stopOnSignal(stop: () => Promise<void>): () => void {
  const names = ['SIGINT', 'SIGTERM', 'disconnect'];
  let isStopping = false;
  const end = (): void => {
    // npm forwards a Ctrl-C that the terminal has already sent.
    if (isStopping) return;
    isStopping = true;
    void stop().finally(() => process.exit(130));
  };
  names.forEach((name) => process.on(name, end));
  return () => names.forEach((name) => process.off(name, end));
}

async function collect(
  world: World,
  { ledger }: Clients,
  { made }: Injection,
  { unsettled, workflows }: Settled,
): Promise<Evidence> {
  const { gateway, gatewayName, receivers, database, logs, givenUp } = world;
  return {
    ...ledger,
    ...{ unsettled: unsettled.filter((one) => !one.startsWith('workflow ')), workflows, made, givenUp },
    gateway: { taken: gateway.taken, submitted: gateway.submitted, reports: gateway.relay.reports },
    received: receivers.received,
    rows: await collectRows(database),
    analytics: {
      shown: await readAnalytics(world),
      counted: await countMessages(database, gatewayName === 'kannel' ? 'live' : 'test'),
    },
    logs: { errors: logs.errors, telling: logs.telling },
  };
}

/** What each API process shows. */
async function readAnalytics({ apiUrls, apiKey }: World): Promise<Totals[]> {
  const shown: Totals[] = [];
  for (const url of apiUrls) {
    const ledger = { unexpectedAnswers: [] as string[] } as Parameters<typeof createCaller>[0]['ledger'];
    const caller = createCaller({
      ...{ apiUrls: [url], apiKey, ledger },
      isGivenUp: () => true,
    });
    const { status, body } = await caller.call({ method: 'GET', path: '/api/v1/analytics' });
    shown.push(status === 200 ? body.totals : {});
  }
  return shown;
}

/** Everything that the findings rest on. */
function writeEvidence(evidence: Evidence): void {
  const toJson = (_name: string, value: unknown): unknown =>
    value instanceof Map ? Object.fromEntries(value) : value;
  writeFileSync(join(outputDir, 'evidence.json'), JSON.stringify(evidence, toJson, 1));
}
