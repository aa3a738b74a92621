import { sql } from 'kysely';
import { sqlOf, type Database } from '../src/database.ts';
import { emptyTimings, steps, writeMessages } from './write-messages.ts';

const turns = 24;

/**
 * Measures how much the counting triggers slow down storing, claiming and advancing messages: medians with and without
 * them, in turn within one run. Group sizes are one message, and the maximum of a dispatch and of a statement.
 */
export async function measureCountTriggers(database: Database, organizationId: string): Promise<void> {
  for (const [size, roundsOfTurn] of [
    [1, 40],
    [200, 6],
    [500, 3],
  ] as const) {
    const took = { with: emptyTimings(), without: emptyTimings() };
    for (let turn = 0; turn < turns; turn += 1) {
      // The order is AB BA, so that growth during the run affects both.
      const way = turn % 4 === 0 || turn % 4 === 3 ? 'without' : 'with';
      const change = way === 'with' ? 'enable' : 'disable';
      await sql.raw(`alter table messages ${change} trigger user`).execute(sqlOf(database));
      // Warm-up: the plans must be recreated here, which does not happen in production.
      await writeMessages(database, organizationId, size, 2, emptyTimings());
      await writeMessages(database, organizationId, size, roundsOfTurn, took[way]);
    }
    await sql`alter table messages enable trigger user`.execute(sqlOf(database));
    print(`\n${`${size} at a time, µs a message:`.padEnd(30)}  without     with  the triggers`);
    const sums = { with: 0, without: 0 };
    for (const step of steps) {
      const [without, withThem] = [median(took.without[step]), median(took.with[step])];
      sums.without += without;
      sums.with += withThem;
      print(
        `${step.padEnd(30)} ${perMessage(without, size)} ${perMessage(withThem, size)}  ${ratio(withThem, without)}`,
      );
    }
    print(
      `${'all of it'.padEnd(30)} ${perMessage(sums.without, size)} ${perMessage(sums.with, size)}  ${ratio(sums.with, sums.without)}`,
    );
  }
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function perMessage(milliseconds: number, size: number): string {
  return ((milliseconds * 1000) / size).toFixed(1).padStart(8);
}

function ratio(value: number, base: number): string {
  return `ratio ${(value / base).toFixed(2)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
