import type { Row } from '../summarize.ts';

/** One run of `npm run bench -- all`. */
export interface Run {
  measuredOn: string;
  /** The commit that was measured. */
  commit: string;
  machine: string;
  rounds: number;
  operations: number;
  rows: Row[];
}

/**
 * A figure with a goal. `value` reads it from the row of that name: its ratio to the yardstick, its distance from the
 * yardstick, or its median.
 */
export interface Goal {
  title: string;
  yardstick: string;
  row: string;
  value: (row: Row) => number;
  unit: string;
  /** Before the work on cost began, version 0e62ad2; null: not measured then. */
  before: number | null;
  goal: number;
  stretch: number;
  better: 'higher' | 'lower';
  /** What limits the figure, and what was tried. Shown while the goal is missed. */
  limit: string;
}

const ratio = ({ ratio: value }: Row): number => value!;
const median = ({ median: value }: Row): number => value;
const higher = { unit: '', value: ratio, better: 'higher' } as const;
const lower = { value: median, better: 'lower' } as const;

const bareInsert = 'Express and pg, one insert a request';
const bareUpdate = 'Express and pg, one update a request';
const gatewayLoop = 'a loop of requests to the same Kannel, with reports to a bare receiver';

/** The goals, in the order of the page. The numbers of `before`, `goal` and `stretch` are stated only here. */
export const goals: Goal[] = [
  {
    ...{ title: 'Send, accepted → delivered', yardstick: gatewayLoop, row: 'delivered through Kannel' },
    ...{ ...higher, before: 0.31, goal: 0.6, stretch: 0.8 },
    limit:
      'Kannel shares the two processors with the service and its cost varies: bearerbox uses between 330 and 1,200 µs ' +
      'a message, the service about 1,100 µs. Tried: 16, 32, 64 and 128 connections (32 and 64 are equal, 128 makes ' +
      'Kannel slower), and claims of a quarter instead of half of the connections (no difference).',
  },
  {
    ...{ title: 'Accept beside sending', yardstick: `${bareInsert}, alone` },
    ...{ row: 'accepted beside sending through Kannel', ...higher, before: 0.11, goal: 0.35, stretch: 0.5 },
    limit:
      'The same two processors accept, submit, and apply reports: while messages are accepted, most of the processor ' +
      'time belongs to the messages accepted before.',
  },
  {
    ...{ title: 'Accept, workers stopped', yardstick: bareInsert, row: 'accepted, workers stopped' },
    ...{ ...higher, before: 0.62, goal: 0.8, stretch: 1 },
    limit: 'The one thread of the API: validation, the rate limit, and the insert of a batch.',
  },
  {
    ...{ title: 'Reports applied', yardstick: bareUpdate, row: 'reports applied' },
    ...{ ...higher, before: null, goal: 1, stretch: 1.5 },
    limit:
      'A report updates its message, and stores a line of the timeline and the changes of three counts. The yardstick ' +
      'updates one row. The callers wait for the commit of their batch, and the API spends about 60 µs on a report.',
  },
  {
    ...{ title: 'Webhooks, signed, stored and in order', yardstick: 'a loop of POSTs to the same receiver' },
    ...{ row: 'webhooks delivered', ...higher, before: 0.03, goal: 0.25, stretch: 0.4 },
    limit:
      'For each webhook two rows change and one is stored (claim, attempt, outcome), and the worker signs and parses ' +
      'what undici sends. Tried: HTTP pipelining (breaks the promise that one slow response delays no other), claims ' +
      'of the whole page (more memory, no more speed).',
  },
  {
    ...{ title: 'Bulk, recipients stored', yardstick: 'one INSERT … SELECT of the same rows' },
    ...{ row: 'bulk recipients stored', ...higher, before: null, goal: 0.25, stretch: 0.5 },
    limit: 'A fixed delay of about 100 ms: the POST, and the first task of the workflow.',
  },
  {
    ...{ title: 'Bulk, sent', yardstick: gatewayLoop, row: 'bulk messages submitted' },
    ...{ ...higher, before: 0.29, goal: 0.7, stretch: 0.9 },
    limit:
      'A bulk message has the cost of any other after it is created: submission, two reports, and their five changed ' +
      'rows compete with the submissions of the next chunk for the two processors. Tried: 48 instead of 16 connections ' +
      'for bulk (no difference).',
  },
  {
    ...{ title: 'Security code verified', yardstick: bareUpdate, row: 'security codes verified' },
    ...{ ...higher, before: null, goal: 0.4, stretch: 0.6 },
    limit:
      'A guess waits for the commit of its batch, which locks the codes, judges the guesses, and writes the results ' +
      'under the role of the tenants. The yardstick updates one row without a lock before it.',
  },
  {
    ...{ title: '99th percentile at 50 messages/s, POST → webhook `delivered`, above the yardstick' },
    ...{
      yardstick: 'request to the same Kannel → its report',
      row: '99th percentile, POST to webhook delivered',
    },
    ...{ value: ({ median: value, yardstick }) => value - yardstick!, better: 'lower', unit: ' ms' },
    ...{ before: null, goal: 150, stretch: 60 },
    limit:
      'At this rate a message waits up to 130 ms for the next workflow to start, its webhook again, and each start ' +
      'costs the development server of Temporal about 80 ms until the activity runs. Without the waits the median falls ' +
      'by 100 ms, and the cost of a message under load doubles.',
  },
  {
    ...{ title: 'WAL a message, no webhook', yardstick: '', row: 'WAL a message, through the simulator' },
    ...{ ...lower, unit: ' bytes', before: 8000, goal: 4000, stretch: 2500 },
    limit:
      'Of about 7 KB, the six indexes of `messages` take 2.5 KB, because a changed status is in four of them and no ' +
      'update can be HOT. Without the indexes by sender and by recipient it is 4.5 KB, but then those filters of ' +
      'the message list read every message. See the decision on the row of a message.',
  },
  {
    ...{
      title: 'CPU a message, through the simulator',
      yardstick: '',
      row: 'the service: CPU a message, through the simulator',
    },
    ...{ ...lower, unit: ' µs', before: 3300, goal: 1100, stretch: 800 },
    limit: 'About a third is the worker, a third PostgreSQL, a quarter the API, a tenth Temporal.',
  },
];

/** Returns the value of a goal in a run; null if the run did not measure it. */
export function valueIn(goal: Goal, run: Run): number | null {
  const row = run.rows.find(({ name }) => name === goal.row);
  return row ? goal.value(row) : null;
}

export function isMet({ better }: Pick<Goal, 'better'>, value: number, bound: number): boolean {
  return better === 'higher' ? value >= bound : value <= bound;
}

export function format({ unit }: Pick<Goal, 'unit'>, value: number): string {
  return unit === '' ? value.toFixed(2) : `${value.toFixed(0)}${unit}`;
}
