import { sql } from 'kysely';
import { sqlOf, type Database } from '../src/database.ts';
import { emptyTimings, steps, writeMessages } from './write-messages.ts';

const turns = 24;

/**
 * What the triggers that count messages cost those who store, claim and advance them: medians with them and without,
 * by turns in one run; one message at a time, and as many as a dispatch and a statement have at most.
 */
export async function measureCountTriggers(database: Database, organizationId: string): Promise<void> {
  for (const [size, roundsOfTurn] of [
    [1, 40],
    [200, 6],
    [500, 3],
  ] as const) {
    const took = { with: emptyTimings(), without: emptyTimings() };
    for (let turn = 0; turn < turns; turn += 1) {
      // As in AB BA, so that what grows meanwhile weighs on both.
      const way = turn % 4 === 0 || turn % 4 === 3 ? 'without' : 'with';
      const change = way === 'with' ? 'enable' : 'disable';
      await sql.raw(`alter table messages ${change} trigger user`).execute(sqlOf(database));
      // The plans have to be made anew, as they are not in life.
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
