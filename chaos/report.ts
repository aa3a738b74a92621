import type { Evidence, Finding } from './evidence.ts';
import { describeFault, type Fault } from './plan.ts';
import { finalStatuses } from './reconcile/messages.ts';
import type { Settled } from './settle.ts';

/** The result of a run, for programs. */
export interface Summary {
  seed: number;
  durationSeconds: number;
  /** The command that repeats the run. */
  repeat: string;
  findings: Finding[];
  figures: Record<string, number>;
  /** Faults that this machine cannot make. */
  leftOut: string[];
}

export function summarizeRun(run: {
  options: {
    seed: number;
    minutes: number;
    ratePerSecond: number;
    gatewayName: string;
    temporalName: string;
  };
  evidence: Evidence;
  findings: Finding[];
  settled: Settled;
  leftOut: Fault[];
}): Summary {
  const { options, evidence, findings, settled, leftOut } = run;
  const { seed, minutes, ratePerSecond, gatewayName, temporalName } = options;
  const gateway = gatewayName === 'simulator' ? '' : ` --gateway ${gatewayName}`;
  const temporal = temporalName === 'development' ? '' : ` --temporal ${temporalName}`;
  return {
    ...{ seed, durationSeconds: minutes * 60, findings },
    repeat: `npm run chaos -- --seed ${seed} --minutes ${minutes} --rate ${ratePerSecond}${gateway}${temporal}`,
    figures: figuresOf(evidence, settled),
    leftOut: leftOut.map(describeFault),
  };
}

/** The result of a run in a few numbers. Nothing may be lost, stuck or unexplained. */
export interface Outcome {
  seed: number;
  /** Messages and codes that a client has a 202 for. */
  accepted: number;
  /** Those of them that have come to their end. */
  settled: number;
  /** What was promised and is not stored. */
  lost: number;
  /** What has not come to its end. */
  stuck: number;
  /** Messages that the gateway took more than once. Without a doubt on the timeline, they are unexplained. */
  duplicates: number;
  /** All other findings. */
  unexplained: number;
  faults: number;
}

const isLoss = /^a 20[12] is a stored /;
const isStuck = new Set([
  'every stored message comes to its end',
  'everything settles',
  'a workflow ends with its last row',
  'an open row has a workflow',
]);

/** Returns the numbers that `--json` writes. */
export function countOutcome(seed: number, evidence: Evidence, findings: Finding[]): Outcome {
  const { sends, rows, gateway, made } = evidence;
  const accepted = new Set(sends.flatMap(({ acceptedIds }) => acceptedIds));
  const settled = rows.messages.filter(({ id, status }) => accepted.has(id) && finalStatuses.has(status));
  const lost = findings.filter(({ check }) => isLoss.test(check)).length;
  const stuck = findings.filter(({ check }) => isStuck.has(check)).length;
  return {
    ...{ seed, accepted: accepted.size, settled: settled.length, lost, stuck },
    duplicates: [...gateway.taken.values()].filter((times) => times > 1).length,
    unexplained: findings.length - lost - stuck,
    faults: made.length,
  };
}

function figuresOf(evidence: Evidence, { seconds, shortened }: Settled): Record<string, number> {
  const { sends, rows, received, gateway, made } = evidence;
  const count = <Item>(items: Iterable<Item>, is: (item: Item) => boolean): number =>
    [...items].filter(is).length;
  const of = (status: string): number => count(rows.messages, (row) => row.status === status);
  const times = (kind: Fault['kind']): number => count(made, ({ fault }) => fault.kind === kind);
  const answered = new Set(sends.flatMap(({ acceptedIds }) => acceptedIds));
  const deliveries = new Set(received.map(({ deliveryId }) => deliveryId));
  return {
    faults: made.length,
    'faults: kills and restarts': times('kill') + times('restart-postgres') + times('wipe-temporal'),
    'faults: pauses': times('pause'),
    'faults: connections cut, frozen or delayed': times('cut') + times('freeze') + times('delay'),
    'faults: disks, clocks, reports, receivers':
      times('fill-disk') + times('step-clock') + times('reports') + times('receivers'),
    'messages and codes that clients tried to send': sends.length,
    'of them answered with 202': answered.size,
    'messages stored, of every origin': rows.messages.length,
    delivered: of('delivered'),
    'failed with a reason': of('failed'),
    'answers replayed by their keys': sends.reduce(
      (sum, { acceptedIds }) => sum + Math.max(0, acceptedIds.length - 1),
      0,
    ),
    'submissions with a doubt on the timeline': count(
      rows.events,
      ({ details }) => details.possibleDuplicate === true,
    ),
    'messages that the gateway took twice': count(gateway.taken.values(), (taken) => taken > 1),
    'webhooks due and received': deliveries.size,
    'webhook requests': received.length,
    'webhooks redriven': evidence.redrivenIds.length,
    'security codes verified': count(rows.codes, ({ status }) => status === 'verified'),
    'schedules, batches, messages from phones':
      rows.schedules.length + rows.batches.length + rows.inbound.length,
    'looks at ledgers and analytics': evidence.looks.count,
    'error lines, each explained by a fault': evidence.logs.errors.length,
    'long waits cut short': shortened,
    'seconds until all was settled': Math.round(seconds),
  };
}

/** The most findings of one guarantee that are written out. */
const mostShown = 5;

/** The result of a run, for people. */
export function describeSummary({ findings, figures, leftOut, repeat }: Summary): string {
  const lines = Object.entries(figures).map(([name, value]) => `  ${name.padEnd(48)} ${value}`);
  if (leftOut.length > 0) {
    lines.push(
      '',
      'Left out, because this machine cannot make them:',
      ...leftOut.map((fault) => `  ${fault}`),
    );
  }
  if (findings.length === 0) return [...lines, '', 'Nothing was found.', ''].join('\n');
  lines.push('', `${findings.length} findings:`);
  for (const [check, some] of Map.groupBy(findings, (finding) => finding.check)) {
    lines.push(`  NOT TRUE: ${check} (${some.length})`);
    lines.push(...some.slice(0, mostShown).map(({ detail }) => `    ${detail.slice(0, 500)}`));
  }
  return [...lines, '', `Repeat with: ${repeat}`, ''].join('\n');
}
