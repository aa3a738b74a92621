import { percentile } from './load.ts';
import { fillHistory } from './fill-history.ts';
import { fillMessages, fillMessagesEvenly, openBenchDatabase } from './fill-messages.ts';
import { toPage, writeGrowth, type Growth, type Series } from './growth-page.ts';
import { hotStatements, makeBed, runHotStatements, type Bed, type HotStatement } from './hot-statements.ts';

const warmUpRounds = 4;
const rounds = 40;

/** The number of messages that organizations share, while their number grows. */
const sharedMessages = 100_000;

/**
 * Measures how the time of the hot statements grows with the number of stored messages, and with the number of
 * organizations. The sizes are measured in turn, so that other load affects all of them. It prints the page; with
 * `--write` it stores it in docs/performance.
 *
 * Options: the largest number of messages (1000000; 10000000 takes tens of gigabytes of disk and most of an hour), `--write`.
 */
export async function growthBench(given: string[]): Promise<void> {
  const [largest = '1000000'] = given.filter((option) => option !== '--write');
  const messages = powersOfTen(10_000, Number(largest));
  const growth: Growth = {
    byMessages: await measure(messages, async (size) => {
      const { database, stop } = await openBenchDatabase();
      await database.migrator.up();
      const { large } = await fillMessages(database, size);
      await fillHistory(database);
      return { bed: await makeBed(database, large), stop };
    }),
    byOrganizations: await measure(powersOfTen(1, 1000), async (size) => {
      const { database, stop } = await openBenchDatabase();
      await database.migrator.up();
      const [first] = await fillMessagesEvenly(database, sharedMessages, size);
      await fillHistory(database);
      return { bed: await makeBed(database, first!), stop };
    }),
    ...{ rounds, sharedMessages },
  };
  process.stdout.write(toPage(growth));
  if (given.includes('--write')) await writeGrowth(growth);
}

function powersOfTen(first: number, last: number): number[] {
  return first > last ? [] : [first, ...powersOfTen(first * 10, last)];
}

/** @param prepare fills a database of a size */
async function measure(
  sizes: number[],
  prepare: (size: number) => Promise<{ bed: Bed; stop: () => Promise<void> }>,
): Promise<Series[]> {
  const beds: { size: number; bed: Bed; stop: () => Promise<void> }[] = [];
  const took: Partial<Record<HotStatement, number[]>>[] = sizes.map(() => ({}));
  try {
    for (const size of sizes) {
      process.stderr.write(`Filling ${size} …\n`);
      beds.push({ size, ...(await prepare(size)) });
    }
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      for (const nth of beds.keys()) {
        // The order changes, because a size finds the data of the one before it in the caches of the processor.
        const index = round % 2 === 0 ? nth : beds.length - 1 - nth;
        const times = await runHotStatements(beds[index]!.bed);
        if (round < warmUpRounds) continue;
        for (const [name, ms] of Object.entries(times)) (took[index]![name as HotStatement] ??= []).push(ms);
      }
    }
  } finally {
    for (const { stop } of beds) await stop();
  }
  return (Object.keys(hotStatements) as HotStatement[]).map((statement) => ({
    statement,
    p50Ms: sizes.map((size, index) => ({ size, ms: percentile(took[index]![statement]!, 50) })),
  }));
}
