import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sql } from 'kysely';
import { request } from 'undici';
import { exportAnalytics } from '../src/analytics/export-analytics.ts';
import { foldCounts } from '../src/analytics/fold-counts.ts';
import { getAnalytics } from '../src/analytics/get-analytics.ts';
import { rollUpDays } from '../src/analytics/roll-up-days.ts';
import type { Principal } from '../src/principal.ts';
import { sqlOf, type Database } from '../src/database.ts';
import { sendCsv } from '../src/http/send-csv.ts';
import { measureCountTriggers } from './count-triggers.ts';
import { fillMessages, openBenchDatabase } from './fill-messages.ts';

/** The maximum median time of an overview, of a day as of a year. */
const overviewMs = 300;

/** How much more memory the end of an export of a million may take than its first fifth: garbage that V8 keeps. */
const growthMebibytes = 100;

/**
 * Measures analytics among ten million messages of a year, eight million of them of one organization: how long
 * overviews and exports take, and how much counting slows down writes. It fails above the limits. Options: the number
 * of messages (10000000).
 */
export async function analyticsBench([count = '10000000']: string[]): Promise<void> {
  const { database, stop } = await openBenchDatabase();
  try {
    await database.migrator.up();
    const { large, medium } = await fillMessages(database, Number(count));
    while ((await foldCounts(database)) === 'more');
    await measureRollUp(database);
    await sql`vacuum analyze`.execute(sqlOf(database));
    await printSizes(database);
    const problems = [
      ...(await measureOverviews(database, { large, medium })),
      ...(await measureExport(database, large, Number(count))),
    ];
    await measureCountTriggers(database, large);
    await measureUnfolded(database, large);
    if (problems.length > 0) throw new Error(problems.join(' '));
  } finally {
    await stop();
  }
}

/** Rolls up a year, as the worker does after an upgrade. Each transaction delays the folding of new changes. */
async function measureRollUp(database: Database): Promise<void> {
  const took: number[] = [];
  for (let startedAt = performance.now(); ; startedAt = performance.now()) {
    const isDone = (await rollUpDays(database, new Date())) === 'done';
    took.push(performance.now() - startedAt);
    if (isDone) break;
  }
  const total = took.reduce((sum, ms) => sum + ms, 0);
  print(
    `rolled up in ${(total / 1000).toFixed(1)} s, ${took.length} transactions of at most ${Math.max(...took).toFixed(0)} ms`,
  );
}

async function printSizes(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string; rows: string; size: string }>`
    select relname as name, reltuples::bigint as rows, pg_size_pretty(pg_total_relation_size(oid)) as size from pg_class
    where relname in ('messages', 'message_counts', 'delivery_time_counts', 'message_day_counts', 'delivery_time_day_counts')
    order by relname
  `.execute(sqlOf(database));
  for (const { name, rows: lines, size } of rows)
    print(`${name.padEnd(24)} ${lines.padStart(10)} rows ${size.padStart(9)}`);
}

function ownerOf(organizationId: string): Principal {
  const actor = { kind: 'user', id: organizationId } as const;
  return {
    actor,
    personId: null,
    impersonatedBy: null,
    organizationId,
    environment: 'live',
    visibleEnvironments: ['live', 'test'],
  };
}

/** A range of this number of days up to today. */
function lastDays(days: number): { from: string; to: string } {
  const date = (daysAgo: number): string =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { from: date(days - 1), to: date(0) };
}

async function measureOverviews(
  database: Database,
  organizations: Record<string, string>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, organizationId] of Object.entries(organizations)) {
    for (const days of [1, 30, 365]) {
      const { p50, line } = await timeOverview(database, organizationId, days);
      print(`an overview of ${String(days).padStart(3)} days, the ${name} organization: ${line}`);
      if (p50 > overviewMs)
        problems.push(
          `An overview of ${days} days of the ${name} organization takes more than ${overviewMs} ms.`,
        );
    }
  }
  return problems;
}

async function timeOverview(
  database: Database,
  organizationId: string,
  days: number,
): Promise<{ p50: number; line: string }> {
  const took: number[] = [];
  let messages = 0;
  for (let run = 0; run < 22; run += 1) {
    const startedAt = performance.now();
    const { totals } = await getAnalytics(database, ownerOf(organizationId), lastDays(days), new Date());
    if (run >= 2) took.push(performance.now() - startedAt);
    ({ messages } = totals);
  }
  took.sort((one, other) => one - other);
  const [p50, p95] = [took[10]!, took[18]!];
  return {
    p50,
    line: `p50 ${p50.toFixed(0).padStart(4)} ms, p95 ${p95.toFixed(0).padStart(4)} ms, of ${messages} messages`,
  };
}

/** Exports over HTTP to a reader in this process, so the figure includes the memory of the reader. */
async function measureExport(database: Database, organizationId: string, count: number): Promise<string[]> {
  // Four of five messages of a year belong to the organization: about a million in this range, if they exist.
  const range = lastDays(Math.min(365, Math.ceil((365 * 1_250_000) / count)));
  const app = express();
  app.get('/', async (_request, response) => {
    const { fileName, lines } = await exportAnalytics(database, ownerOf(organizationId), range, new Date());
    await sendCsv(response, fileName, lines);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const before = process.memoryUsage.rss();
  let [peak, earlyPeak, rows, bytes] = [before, 0, -1, 0];
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  const startedAt = performance.now();
  const { body } = await request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
    if (earlyPeak === 0 && rows > 200_000) earlyPeak = peak;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  server.close();
  const mebibytes = (value: number): string => `${(value / 1024 / 1024).toFixed(0)} MiB`;
  print(
    `an export of ${rows} messages: ${mebibytes(bytes)} in ${seconds.toFixed(1)} s, ${(rows / seconds).toFixed(0)} rows/s, ` +
      `the process had ${mebibytes(before)} before, ${mebibytes(earlyPeak)} at most until the first 200000, ${mebibytes(peak)} at most in the end`,
  );
  const growth = peak - Math.max(earlyPeak, before);
  return growth > growthMebibytes * 1024 * 1024 ? ['The memory of an export grows with its length.'] : [];
}

/** Measures the unfolded changes of the previous rounds: an overview that includes them, and the time to fold them. */
async function measureUnfolded(database: Database, organizationId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from message_count_deltas) + (select count(*) from delivery_time_deltas))::int as count
  `.execute(sqlOf(database));
  const { line } = await timeOverview(database, organizationId, 30);
  print(`\nan overview of  30 days, ${rows[0]!.count} changes not folded in: ${line}`);
  const startedAt = performance.now();
  while ((await foldCounts(database)) === 'more');
  print(`folded in ${(performance.now() - startedAt).toFixed(0)} ms`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
