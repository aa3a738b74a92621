import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** One that is held to a rate: the platform, a sender, a batch. */
export interface HeldToRate {
  /** `platform:<environment>`, `sender:<environment>:<sender>`, `batch:<id>`. */
  subject: string;
  perSecond: number;
}

/** What part of a second the messages of one reservation take up, and how many they are at most. */
const chunkSeconds = 0.25;
const largestChunk = 250;

/** How many messages are reserved at a time: few enough for pauses and new rates to be felt at once. */
export function chunkSize(held: HeldToRate[]): number {
  const perSecond = Math.min(...held.map((one) => one.perSecond));
  return Math.max(1, Math.min(largestChunk, Math.floor(perSecond * chunkSeconds)));
}

/**
 * Reserves the sending of so many messages with all who are held to a rate, and says how long to wait for it.
 *
 * Each has one row that tells from when on it is free again, which moves on by the time the messages take at its
 * rate: the generic cell rate algorithm (ITU-T I.371, annex A) in its virtual-scheduling form, without tolerance.
 * The rows are those of all worker processes, and the clock is the database's, so that together they keep the
 * rate. They are taken in their order, so that two processes never wait for each other.
 *
 * @returns milliseconds until the messages may be sent; 0: now
 */
export async function reserveSending(db: Sql, held: HeldToRate[], messages: number): Promise<number> {
  const { rows } = await sql<{ wait_ms: number }>`
    with reserved as (
      insert into sending_rates as rate (subject, free_at)
      select subject, clock_timestamp() + make_interval(secs => ${messages} / "perSecond")
      from json_to_recordset(${JSON.stringify(held)}::json) as held("subject" text, "perSecond" float8)
      order by subject
      on conflict (subject) do update
        set free_at = greatest(rate.free_at, clock_timestamp()) + (excluded.free_at - clock_timestamp())
      returning subject, free_at
    )
    select greatest(0, 1000 * max(extract(epoch from
      free_at - make_interval(secs => ${messages} / "perSecond") - clock_timestamp())))::float8 as wait_ms
    from reserved join json_to_recordset(${JSON.stringify(held)}::json)
      as held("subject" text, "perSecond" float8) using (subject)
  `.execute(db);
  return rows[0]!.wait_ms;
}

/** Forgets a batch that needs its row no more. */
export async function forgetRate(db: Sql, subject: string): Promise<void> {
  await sql`delete from sending_rates where subject = ${subject}`.execute(db);
}
