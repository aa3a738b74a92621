import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { hotStatements, type HotStatement } from './hot-statements.ts';

/** The median time of a statement at each size. */
export interface Series {
  statement: HotStatement;
  p50Ms: { size: number; ms: number }[];
}

/** What `npm run bench -- growth` measures. */
export interface Growth {
  byMessages: Series[];
  byOrganizations: Series[];
  /** The number of measurements of each figure. */
  rounds: number;
  /** The number of messages that the organizations share. */
  sharedMessages: number;
}

/** A logarithm grows by a quarter from ten thousand to a hundred thousand, and by less after that. */
const logarithmicFactor = 1.25;

/** How many times as long a statement takes for ten times as much: the geometric mean of all steps. */
function factorOf({ p50Ms }: Series): number {
  const [first, last] = [p50Ms[0]!, p50Ms.at(-1)!];
  return (last.ms / first.ms) ** (1 / Math.log10(last.size / first.size));
}

/** Returns the tables, with a sentence for each statement, as Markdown. */
export function toPage({ byMessages, byOrganizations, rounds, sharedMessages }: Growth): string {
  const largest = byMessages[0]!.p50Ms.at(-1)!.size;
  return `# How cost grows

Generated on ${today()} by \`npm run bench -- growth ${largest} --write\`: ${machine()}, Node ${process.version}. Each figure is the
median of ${rounds} runs, in milliseconds. Sizes are measured in turn. A factor of at most ${logarithmicFactor} for ten times as much is
no more than logarithmic growth.

## With the number of stored messages

Each message has four timeline entries, a dispatch, a webhook delivery and an idempotency key. Four of five messages of
a year belong to the organization that is measured.

${toTable(byMessages, 'messages')}
${toSentences(byMessages, 'messages', causes)}
## With the number of organizations

The organizations share ${count(sharedMessages)} messages. The organization that is measured has fewer, the more there are.

${toTable(byOrganizations, 'organizations')}
${toSentences(byOrganizations, 'organizations', {})}`;
}

function toTable(series: Series[], of: string): string {
  const header = [of, ...series[0]!.p50Ms.map(({ size }) => count(size)), 'factor for 10 times'];
  const lines = series.map((each) => [
    hotStatements[each.statement],
    ...each.p50Ms.map(({ ms }) => ms.toFixed(1)),
    factorOf(each).toFixed(2),
  ]);
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Why a statement takes longer with more messages, where that is known. */
const causes: Partial<Record<HotStatement, string>> = {
  overview:
    'It reads the counts of each quarter of an hour, which have a row for each different delivery time: at most some ' +
    'hundred, so the growth ends. Of days with a thousand messages or more, it reads the sums.',
};

function toSentences(series: Series[], of: string, causesOfGrowth: typeof causes): string {
  return series
    .map((each) => {
      const factor = factorOf(each);
      const isMore = factor > logarithmicFactor;
      const verdict = isMore ? '**more than logarithmic**' : 'no more than logarithmic';
      const sentence = `${hotStatements[each.statement]} takes ${factor.toFixed(2)} times as long for ten times the ${of}: ${verdict}.`;
      const cause = isMore ? causesOfGrowth[each.statement] : undefined;
      return `- ${[sentence, cause].filter((text) => text !== undefined).join(' ')}\n`;
    })
    .join('');
}

/** Stores the figures, and the page that is made of them, in docs/performance. */
export async function writeGrowth(growth: Growth): Promise<void> {
  const directory = join(import.meta.dirname, '../docs/performance');
  await mkdir(directory, { recursive: true });
  const withFactors = (series: Series[]) =>
    series.map((each) => ({ ...each, factorForTenTimes: factorOf(each) }));
  const record = {
    ...{
      measuredOn: today(),
      machine: machine(),
      rounds: growth.rounds,
      sharedMessages: growth.sharedMessages,
    },
    byMessages: withFactors(growth.byMessages),
    byOrganizations: withFactors(growth.byOrganizations),
  };
  await writeFile(join(directory, 'growth.json'), `${JSON.stringify(record, null, 2)}\n`);
  await writeFile(join(directory, 'growth.md'), toPage(growth));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
}

function count(size: number): string {
  return size.toLocaleString('en');
}
