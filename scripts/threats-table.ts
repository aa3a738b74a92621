/** The threat model of docs/security.md, printed from the list of defences. */
import { defences, type Defence } from './defences.ts';

/** A heading and a table for each data flow. */
export function threatsTable(): string[] {
  const flows = [...new Set(defences.map(({ flow }) => flow))];
  return flows.flatMap((flow, index) => [
    ...(index === 0 ? [] : ['']),
    `### ${flow[0]!.toUpperCase()}${flow.slice(1)}`,
    '',
    '| kind | threat | defence | test that fails without it |',
    '|---|---|---|---|',
    ...defences.filter((defence) => defence.flow === flow).map(rowOf),
  ]);
}

function rowOf({ kind, threat, defence, name, test }: Defence): string {
  return `| ${kind} | ${threat} | ${defence} | \`${name}\`: [${test.file.split('/').at(-1)}](../${test.file}) |`;
}
