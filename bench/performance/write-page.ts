import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { toTable, type Row } from '../summarize.ts';
import { format, goals, isMet, valueIn, type Run } from './goals.ts';
import { plotHistory } from './plot-history.ts';

const directory = join(import.meta.dirname, '../../docs/performance');

/** Adds a run to docs/performance/history.json, and writes the page and its plot anew from the history. */
export async function writePage(rows: Row[], options: { rounds: number; operations: number }): Promise<void> {
  await mkdir(directory, { recursive: true });
  const run: Run = {
    measuredOn: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`,
    ...options,
    rows,
  };
  const history = [...(await readHistory()), run];
  await writeFile(join(directory, 'history.json'), `${JSON.stringify(history, null, 2)}\n`);
  await writeFile(join(directory, 'history.svg'), plotHistory(goals, history));
  await writeFile(join(directory, 'README.md'), toPage(run));
}

async function readHistory(): Promise<Run[]> {
  const text = await readFile(join(directory, 'history.json'), 'utf8').catch(() => '[]');
  return JSON.parse(text) as Run[];
}

function toPage(run: Run): string {
  const { measuredOn, commit, machine, rounds, operations, rows } = run;
  const measured = goals.flatMap((goal) => {
    const value = valueIn(goal, run);
    return value === null ? [] : [{ goal, value, isMet: isMet(goal, value, goal.goal) }];
  });
  const header = ['', 'yardstick in the same run', 'before', 'now', 'goal', 'stretch', ''];
  const lines = measured.map(({ goal, value, isMet: met }) => [
    ...[goal.title, goal.yardstick, goal.before === null ? 'not measured' : format(goal, goal.before)],
    ...[`**${format(goal, value)}**`, format(goal, goal.goal), format(goal, goal.stretch)],
    met ? 'met' : 'missed',
  ]);
  const table = [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`);
  const missed = measured.filter((line) => !line.isMet);
  const limits = missed.map(({ goal }) => `- **${goal.title}.** ${goal.limit}\n`);
  return `<!-- Written by \`npm run bench -- all --write\`. Do not edit. -->

# Performance

Measured on ${measuredOn}, commit ${commit}, with \`npm run bench -- all ${rounds} ${operations} --write\`: ${machine}. Everything
runs on this one machine: API, worker, PostgreSQL, Temporal, gateway, receivers, callers, and yardsticks. Most figures
are therefore ratios to a yardstick that is measured in the same round. Each is the median of ${rounds} interleaved
rounds of ${operations} operations. A round in which anything is lost or wrong gives no figures.

${table.join('')}
![How each figure changed](history.svg)

${limits.length > 0 ? `## What limits the missed goals\n\n${limits.join('')}\n` : ''}## All figures

${toTable(rows)}
How cost grows with what is stored: [growth](growth.md). What to add for more throughput: [scaling](../scaling.md).
`;
}
