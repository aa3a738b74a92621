import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Bench, Figure } from './scenarios/scenario.ts';
import { sendRound } from './scenarios/send.ts';
import { parts, startService, type RunningService } from './service.ts';
import { summarize, type Row } from './summarize.ts';
import { costOf, readMemory, readUsage } from './usage.ts';
import { startOwnSimulator } from './yardsticks.ts';

const idleSeconds = 10;

/**
 * Sends messages through several processes of each kind, with PgBouncer and with Temporal on PostgreSQL, and prints what
 * was reached and what a message cost in each part. A run in which something is lost ends the bench without figures.
 *
 * Options: the number of rounds (3), the messages of a round (5000), and the shapes to compare, each in a service of its
 * own: `start` is `npm start`, and `2x3` is a cluster of two API processes and three workers (start 2x3).
 */
export async function clusterBench(given: string[]): Promise<void> {
  const [rounds = '3', messages = '5000', ...shapes] = given;
  const columns: Row[][] = [];
  const names = shapes.length > 0 ? shapes : ['start', '2x3'];
  for (const name of names)
    columns.push(summarize(await measureShape(name, Number(rounds), Number(messages))));
  process.stdout.write(toTable(names, columns));
}

async function measureShape(name: string, rounds: number, operations: number): Promise<Figure[]> {
  const service = await startShape(name);
  const database = new Client({ connectionString: service.demo.databaseUrl });
  try {
    await database.connect();
    const bench = { service, database, operations };
    const idle = await measureIdle(bench);
    // Code is compiled, and connections are open.
    await sendMessages({ ...bench, operations: 1000 });
    const figures: Figure[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      process.stderr.write(`${name}, round ${round} of ${rounds} …\n`);
      figures.push(...(await sendMessages(bench)));
    }
    return [...figures, ...idle, ...memoryFigures(service, 'after the rounds')];
  } finally {
    await database.end();
    await service.stop();
  }
}

function startShape(name: string): Promise<RunningService> {
  const limits = { RATE_LIMIT_PER_MINUTE: '10000000', ORGANIZATION_RATE_LIMIT_PER_MINUTE: '10000000' };
  if (name === 'start') return startService(limits);
  const [, apis, workers] = /^(\d+)x(\d+)$/.exec(name) ?? [];
  if (apis === undefined || workers === undefined)
    throw new Error(`A shape is \`start\`, or the numbers of APIs and workers, like 2x3; not ${name}.`);
  return startService(limits, {
    ...{ apis: Number(apis), workers: Number(workers) },
    ...{ isPortShared: true, withPgBouncer: true, withTemporalOnPostgres: true },
  });
}

/** The existing scenario, and what else a message made the servers do. */
async function sendMessages(bench: Bench): Promise<Figure[]> {
  const { service, operations } = bench;
  const before = await readStores(bench);
  const figures = await sendRound(bench, {
    ...{ through: 'the simulator', apiKey: service.demo.testApiKey, startGateway: startOwnSimulator },
  });
  const after = await readStores(bench);
  const stored = (after.bytes - before.bytes) / operations;
  return [
    ...figures,
    { name: 'messages of a workflow', unit: '', value: operations / (after.workflows - before.workflows) },
    { name: 'stored a message, with its timeline and indexes', unit: 'bytes', value: stored },
    ...(after.temporalWal === null
      ? []
      : [
          {
            name: "WAL a message of Temporal's database",
            ...{ unit: 'bytes', value: (after.temporalWal - before.temporalWal!) / operations },
          },
        ]),
  ];
}

async function readStores({
  service,
  database,
}: Bench): Promise<{ workflows: number; bytes: number; temporalWal: number | null }> {
  const { rows } = await database.query<{ workflows: string; bytes: string }>(
    `select (select count(*) from dispatches where kind = 'messages') as workflows,
       (select sum(pg_total_relation_size(oid)) from pg_class where relname in ('messages', 'message_events')) as bytes`,
  );
  const { workflows, bytes } = rows[0]!;
  return {
    workflows: Number(workflows),
    bytes: Number(bytes),
    temporalWal: await readTemporalWal(service),
  };
}

/** What Temporal's own PostgreSQL has written, in bytes; null without one. */
async function readTemporalWal({ dataDir, processIds }: RunningService): Promise<number | null> {
  if (processIds('temporal-postgres').length === 0) return null;
  const password = await readFile(join(dataDir, 'temporal-postgres', 'password'), 'utf8');
  const ports = JSON.parse(await readFile(join(dataDir, 'ports.json'), 'utf8')) as Record<string, number>;
  const client = new Client({
    connectionString: `postgresql://sms:${password}@127.0.0.1:${ports['temporal-postgres']}/sms`,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
    );
    return Number(rows[0]!.bytes);
  } finally {
    await client.end();
  }
}

/** What the parts use while nothing is sent. */
async function measureIdle({ service, database }: Bench): Promise<Figure[]> {
  const before = await readUsage(service, database);
  await delay(idleSeconds * 1000);
  const { cpuMicroseconds } = costOf(idleSeconds, before, await readUsage(service, database));
  const cpu = parts
    .filter((part) => service.processIds(part).length > 0)
    .map((part) => ({
      ...{ name: `${part}: idle, of a core`, unit: '%', value: cpuMicroseconds[part] / 10_000 },
    }));
  return [...cpu, ...memoryFigures(service, 'idle')];
}

function memoryFigures(service: RunningService, when: string): Figure[] {
  return (['api', 'worker'] as const).map((part) => ({
    name: `${part}: memory of the largest, ${when}`,
    unit: 'MB',
    value: Math.max(...readMemory(service, part)),
  }));
}

/** One column for each shape: the median, its range over the rounds, and its ratio to the yardstick. */
function toTable(names: string[], columns: Row[][]): string {
  const rowNames = [...new Set(columns.flatMap((rows) => rows.map(({ name }) => name)))];
  const lines = rowNames.map((rowName) => [
    rowName,
    ...columns.map((rows) => toCell(rows.find(({ name }) => name === rowName))),
  ]);
  const header = ['', ...names];
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function toCell(row: Row | undefined): string {
  if (row === undefined) return '';
  const { median, lowest, highest, unit, yardstick, ratio } = row;
  const digits = unit === '%' ? 1 : 0;
  const range = lowest === highest ? '' : ` (${lowest.toFixed(digits)}–${highest.toFixed(digits)})`;
  const compared = ratio === undefined ? '' : `, ${ratio.toFixed(2)} of ${yardstick!.toFixed(0)}`;
  return `${median.toFixed(digits)} ${unit}${range}${compared}`;
}
