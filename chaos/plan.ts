import { createRandom, type Random } from './random.ts';

/** The processes of the service and its servers. */
const alwaysRunning = ['api-1', 'api-2', 'worker-1', 'worker-2', 'temporal', 'postgres'] as const;
/** `temporal-postgres` runs only where Temporal is the server of production. */
export const processNames = [...alwaysRunning, 'temporal-postgres'] as const;
export type ProcessName = (typeof processNames)[number];

/** The Temporal of a run: the development server on a file, or the server of production on PostgreSQL. */
export const temporalNames = ['development', 'postgresql'] as const;
export type TemporalName = (typeof temporalNames)[number];

/** The connections that faults cut, delay and freeze: from whom, to whom. */
export const linkNames = [
  ...(['clients>api-1', 'clients>api-2'] as const),
  ...(['api-1>postgres', 'api-2>postgres', 'worker-1>postgres', 'worker-2>postgres'] as const),
  ...(['api-1>temporal', 'api-2>temporal', 'worker-1>temporal', 'worker-2>temporal'] as const),
  ...(['worker-1>gateway', 'worker-2>gateway'] as const),
] as const;
export type LinkName = (typeof linkNames)[number];

/** The processes whose clock can be stepped: they run under libfaketime. */
export const steppedProcesses = ['api-2', 'worker-2'] as const;
export type SteppedProcess = (typeof steppedProcesses)[number];

export const reportFaults = ['late', 'twice', 'shuffled', 'lost'] as const;
export type ReportFault = (typeof reportFaults)[number];
export const receiverFaults = ['hang', 'refuse', 'half'] as const;
export type ReceiverFault = (typeof receiverFaults)[number];

/** What breaks. */
export type FaultAction =
  /** SIGKILL; the supervisor starts the process again. */
  | { kind: 'kill'; target: ProcessName }
  /** SIGSTOP, and SIGCONT at the end of the fault. */
  | { kind: 'pause'; target: ProcessName }
  /** PostgreSQL is asked to shut down: `fast` rolls back what is open, `immediate` stops as in a crash. */
  | { kind: 'restart-postgres'; mode: 'fast' | 'immediate' }
  /** No byte is left on the disk of PostgreSQL. */
  | { kind: 'fill-disk' }
  /** Temporal is killed and starts again with an empty database. */
  | { kind: 'wipe-temporal' }
  | { kind: 'step-clock'; target: SteppedProcess; seconds: number }
  /** Connections break, and new ones are refused. */
  | { kind: 'cut'; link: LinkName }
  /** Each byte arrives later. */
  | { kind: 'delay'; link: LinkName; delayMs: number }
  /** Connections stay open, and nothing arrives. */
  | { kind: 'freeze'; link: LinkName }
  | { kind: 'reports'; fault: ReportFault }
  | { kind: 'receivers'; fault: ReceiverFault };

/** A fault and its time, counted from the start of the clients. */
export type Fault = FaultAction & { atMs: number; durationMs: number };

type Card = (random: Random) => FaultAction & { durationMs: number };

const killAndPause = (targets: readonly ProcessName[]): Card[] => [
  ...targets.map((target): Card => () => ({ kind: 'kill', target, durationMs: 0 })),
  ...targets.map((target): Card => (random) => ({
    kind: 'pause',
    target,
    durationMs: random.between(1000, 6000),
  })),
];

/** Faults of processes and their surroundings. */
const processDeck: Card[] = [
  ...killAndPause(alwaysRunning),
  ...(['fast', 'immediate'] as const).map((mode): Card => () => ({
    kind: 'restart-postgres',
    mode,
    durationMs: 0,
  })),
  ...steppedProcesses.map((target): Card => (random) => ({
    ...{ kind: 'step-clock', target, durationMs: random.between(5000, 12_000) },
    seconds: random.pick([-1, 1]) * random.between(20, 150),
  })),
];

/** Faults that one run sees at most once, because each resets what the others need to have an effect. */
const onceDeck: Card[] = [
  () => ({ kind: 'wipe-temporal', durationMs: 0 }),
  (random) => ({ kind: 'fill-disk', durationMs: random.between(2000, 5000) }),
];

/** Faults of connections and of the parties outside. */
const networkDeck: Card[] = [
  ...linkNames.flatMap((link): Card[] => [
    (random) => ({ kind: 'cut', link, durationMs: random.between(300, 5000) }),
    (random) =>
      random.next() < 0.5
        ? { kind: 'freeze', link, durationMs: random.between(1000, 6000) }
        : { kind: 'delay', link, delayMs: random.between(50, 400), durationMs: random.between(2000, 6000) },
  ]),
  // Twice in the deck, because there are many connections.
  ...[...reportFaults, ...reportFaults].map((fault): Card => (random) => ({
    kind: 'reports',
    fault,
    durationMs: random.between(2000, 6000),
  })),
  ...[...receiverFaults, ...receiverFaults].map((fault): Card => (random) => ({
    kind: 'receivers',
    fault,
    durationMs: random.between(2000, 6000),
  })),
];

const firstFaultMs = 2000;

/**
 * Plans the faults of a run. Two sequences run beside each other, one for processes and one for connections, so that
 * faults meet. Each deals a shuffled deck to its end before it shuffles again, so that a long run has every fault.
 *
 * The plan is a function of its arguments. A fault that the machine cannot make (a full disk without the right to mount,
 * a stepped clock without libfaketime) is in the plan all the same, and the run reports that it left it out.
 */
export function planFaults(
  seed: number,
  durationSeconds: number,
  temporalName: TemporalName = 'development',
): Fault[] {
  const random = createRandom(seed);
  const endMs = durationSeconds * 1000;
  const ofTemporal = temporalName === 'postgresql' ? killAndPause(['temporal-postgres']) : [];
  return [
    ...deal(random, { deck: [...processDeck, ...ofTemporal], first: onceDeck, pauseMs: [3000, 6000], endMs }),
    ...deal(random, { deck: networkDeck, first: [], pauseMs: [1500, 4000], endMs }),
  ].toSorted((one, other) => one.atMs - other.atMs);
}

/** @param options.first cards that are only in the first deck */
function deal(
  random: Random,
  options: { deck: Card[]; first: Card[]; pauseMs: [number, number]; endMs: number },
): Fault[] {
  const { deck, first, pauseMs, endMs } = options;
  const faults: Fault[] = [];
  let cards = random.shuffle([...deck, ...first]);
  for (let atMs = firstFaultMs + random.between(0, 2000); atMs < endMs; atMs += random.between(...pauseMs)) {
    if (cards.length === 0) cards = random.shuffle(deck);
    faults.push({ ...cards.pop()!(random), atMs });
  }
  return faults;
}

/** One line about a fault: its time, what breaks, and for how long. */
export function describeFault(fault: Fault): string {
  const at = `${(fault.atMs / 1000).toFixed(1).padStart(6)} s  `;
  const lasting = fault.durationMs === 0 ? '' : ` for ${(fault.durationMs / 1000).toFixed(1)} s`;
  return `${at}${describeAction(fault)}${lasting}`;
}

function describeAction(fault: FaultAction): string {
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return `${fault.kind} ${fault.target}`;
    case 'restart-postgres':
      return `restart PostgreSQL (${fault.mode})`;
    case 'fill-disk':
      return "fill PostgreSQL's disk";
    case 'wipe-temporal':
      return "wipe Temporal's database";
    case 'step-clock':
      return `step the clock of ${fault.target} by ${fault.seconds} s`;
    case 'cut':
    case 'freeze':
      return `${fault.kind} ${fault.link}`;
    case 'delay':
      return `delay ${fault.link} by ${fault.delayMs} ms`;
    case 'reports':
      return `delivery reports: ${fault.fault}`;
    case 'receivers':
      return `webhook receivers: ${fault.fault}`;
  }
}
