import { sql } from 'kysely';
import { sqlOf, type Database } from '../src/database.ts';
import { selectMessages, type MessageSelection } from '../src/messages/list-messages.ts';
import type { MessageFilters } from '../src/messages/message-filters.ts';
import { asTenant } from '../src/organizations/organization-scope.ts';
import { fillMessages, hotRecipient, openBenchDatabase, type Organizations } from './fill-messages.ts';
import { emptyTimings, writeMessages } from './write-messages.ts';

/** The largest page, plus the row that indicates a next page. */
const limit = 201;

/** The maximum number of index ranges in a page: two environments, six statuses. */
const maxRanges = 12;

const listIndexes = ['messages_list_by_status', 'messages_list_by_recipient', 'messages_list_by_sender'];

/**
 * Measures what a page of GET /api/v1/messages reads with every filter, among ten million messages, most of them of
 * one organization, and how much the indexes for it slow down writes.
 *
 * It explains the actual statement of the use case, under the tenants' role, and fails if a plan reads more than a
 * page of each range and then the page itself. Options: the number of messages (10000000).
 */
export async function messageListBench([count = '10000000']: string[]): Promise<void> {
  const { database, stop } = await openBenchDatabase();
  try {
    await database.migrator.up();
    const organizations = await fillMessages(database, Number(count));
    await printSizes(database);
    const isBounded = await explainAll(database, organizations);
    await measureWriting(database, organizations.large);
    if (!isBounded) throw new Error('A plan reads more than its page; see above.');
  } finally {
    await stop();
  }
}

async function printSizes(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string; size: string }>`
    select relname as name, pg_size_pretty(pg_relation_size(oid)) as size from pg_class
    where relname like 'messages%' order by pg_relation_size(oid) desc
  `.execute(sqlOf(database));
  for (const { name, size } of rows) print(`${name.padEnd(30)} ${size.padStart(8)}`);
}

function allOf(organizationId: string): MessageSelection {
  return { organizationId, visibleEnvironments: ['live', 'test'], filters: {}, before: null, limit };
}

async function explainAll(database: Database, { large, medium, small }: Organizations): Promise<boolean> {
  const monthAgo = new Date(Date.now() - 30 * 86_400_000);
  const dayLater = new Date(monthAgo.getTime() + 86_400_000);
  const range = { createdFrom: monthAgo, createdBefore: dayLater };
  const nobody = '+251999999999';
  const filters: Record<string, MessageFilters> = {
    'no filter': {},
    'status=delivered': { status: 'delivered' },
    'status=failed': { status: 'failed' },
    'status=cancelled, of a year ago': { status: 'cancelled' },
    'status=sent, of which there is none': { status: 'sent' },
    'to=a number': { to: '+251900012345' },
    'to=a number without messages': { to: nobody },
    'to=a probe': { to: hotRecipient },
    'from=ACME': { from: 'ACME' },
    'from=OLD, of a year ago': { from: 'OLD' },
    'from=nobody': { from: 'NOBODY' },
    'a day of a month ago': range,
    'a day without messages': { createdFrom: new Date('2001-01-01'), createdBefore: new Date('2001-01-02') },
    'status=failed from=ACME-INFO': { status: 'failed', from: 'ACME-INFO' },
    'status=cancelled from=ACME': { status: 'cancelled', from: 'ACME' },
    'status=failed to=a probe': { status: 'failed', to: hotRecipient },
    'status=cancelled to=a probe': { status: 'cancelled', to: hotRecipient },
    'to=a number from=ACME': { to: '+251900012345', from: 'ACME' },
    'status=failed, a day of a month ago': { status: 'failed', ...range },
    'status=sent, a day of a month ago': { status: 'sent', ...range },
    'from=OLD, a day of a month ago': { from: 'OLD', ...range },
    'to=a probe, a day of a month ago': { to: hotRecipient, ...range },
    'all filters': { status: 'delivered', to: hotRecipient, from: 'ACME', ...range },
  };
  let isBounded = true;
  for (const [name, organizationId] of Object.entries({ large, medium, small })) {
    print(`\nThe ${name} organization, both environments:`);
    for (const [label, each] of Object.entries(filters)) {
      const read = await explain(database, label, { ...allOf(organizationId), filters: each });
      isBounded &&= read <= limit * (maxRanges + 1);
    }
  }
  print('\nThe large organization, more:');
  const [middle] = await database.em
    .fork()
    .execute<{ id: string }[]>('select uuidv7(make_interval(days => -180)) as id');
  const more: Record<string, Partial<MessageSelection>> = {
    'test environment': { visibleEnvironments: ['test'] },
    'test environment, status=cancelled': { visibleEnvironments: ['test'], filters: { status: 'cancelled' } },
    'a page in the middle': { before: middle!.id },
    'a page in the middle, status=failed': { before: middle!.id, filters: { status: 'failed' } },
    'a page in the middle, to=a probe': { before: middle!.id, filters: { to: hotRecipient } },
  };
  for (const [label, each] of Object.entries(more)) {
    const read = await explain(database, label, { ...allOf(large), ...each });
    isBounded &&= read <= limit * (maxRanges + 1);
  }
  return isBounded;
}

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** Explains a page as the use case reads it, prints the second of two runs, and returns the number of rows read. */
async function explain(database: Database, label: string, selection: MessageSelection): Promise<number> {
  const run = () =>
    asTenant(database, selection, async (em) => {
      const { rows } = await sql<{
        'QUERY PLAN': [{ Plan: PlanNode; 'Planning Time': number; 'Execution Time': number }];
      }>`
        explain (analyze, buffers, format json) ${selectMessages(selection)}`.execute(em.getKysely());
      return rows[0]!['QUERY PLAN'][0];
    });
  await run();
  const { Plan: plan, 'Planning Time': planningMs, 'Execution Time': milliseconds } = await run();
  const scans = leavesOf(plan).filter((node) => node['Node Type'].includes('Scan'));
  const read = scans.reduce(
    (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  );
  const indexes = new Set(scans.map((node) => node['Index Name'] ?? node['Node Type']));
  const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  print(
    `${label.padEnd(40)} ${milliseconds.toFixed(2).padStart(8)} ms (planned in ${planningMs.toFixed(1)}) ${String(buffers).padStart(6)} buffers ` +
      `${String(plan['Actual Rows']).padStart(4)} rows of ${String(read).padStart(5)} read  ${[...indexes].join(', ')}`,
  );
  return read;
}

function leavesOf(node: PlanNode): PlanNode[] {
  return node.Plans ? node.Plans.flatMap(leavesOf) : [node];
}

/** Stores messages and advances them to a final status, with the indexes of the filters and then without them. */
async function measureWriting(database: Database, organizationId: string): Promise<void> {
  const db = sqlOf(database);
  const batches = 200;
  await writeInBatches(database, organizationId, 20);
  const withIndexes = await writeInBatches(database, organizationId, batches);
  print('\nThe status that all of these have just left:');
  await explain(database, 'status=queued', { ...allOf(organizationId), filters: { status: 'queued' } });
  for (const name of listIndexes) await sql`drop index ${sql.ref(name)}`.execute(db);
  await writeInBatches(database, organizationId, 20);
  const without = await writeInBatches(database, organizationId, batches);
  const perMessage = (milliseconds: number) =>
    `${((milliseconds * 1000) / (batches * batch)).toFixed(1)} µs`.padStart(10);
  print(`\nA message, ${batch} at a time:   without       with  the indexes of the filters`);
  for (const phase of ['stored', 'updated'] as const) {
    const ratio = (withIndexes[phase] / without[phase]).toFixed(2);
    print(
      `${phase.padEnd(26)} ${perMessage(without[phase])} ${perMessage(withIndexes[phase])}  ratio ${ratio}`,
    );
  }
}

const batch = 200;

async function writeInBatches(
  database: Database,
  organizationId: string,
  batches: number,
): Promise<{ stored: number; updated: number }> {
  const took = emptyTimings();
  await writeMessages(database, organizationId, batch, batches, took);
  const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);
  return { stored: sum(took.stored), updated: sum(took.updated) };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
