import type { DispatchProgress } from './contract.ts';

/** The details an operator reads in the Temporal Web UI: how many rows stand where, and what is waited for. */
export function describeProgress(progress: DispatchProgress): string {
  const counts = Object.entries(progress.counts).map(([status, count]) => `| ${status} | ${count} |`);
  const lines = ['| status | rows |', '|---|---|', ...counts, ''];
  if (progress.nextDueAt === null) return [...lines, 'All rows are final.'].join('\n');
  lines.push(`Next action at ${progress.nextDueAt}.`, '', '| id | status | attempts | next action |', '|---|---|---|---|');
  for (const row of progress.open) lines.push(`| ${row.id} | ${row.status} | ${row.attempts} | ${row.dueAt} |`);
  return lines.join('\n');
}
