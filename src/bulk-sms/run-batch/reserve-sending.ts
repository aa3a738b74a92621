import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { recordset } from '../../recordset.ts';

/** What has a rate limit: the platform, a sender or a batch. */
export interface RateLimitedSubject {
  /** `platform:<environment>`, `sender:<environment>:<sender>`, `batch:<id>`. */
  subject: string;
  perSecond: number;
}

/** The sending time, in seconds, of the messages in one reservation, and their maximum number. */
const chunkSeconds = 0.25;
const largestChunk = 250;

/** How many messages are reserved at a time: few enough that pauses and new rates take effect at once. */
export function chunkSize(subjects: RateLimitedSubject[]): number {
  const perSecond = Math.min(...subjects.map((subject) => subject.perSecond));
  return Math.max(1, Math.min(largestChunk, Math.floor(perSecond * chunkSeconds)));
}

/**
 * Reserves the sending of this number of messages for all rate-limited subjects, and returns how long to wait.
 *
 * Each subject has one row with the time from which it is free again. A reservation moves this time on by the time
 * that its messages take at the subject's rate: the generic cell rate algorithm (ITU-T I.371, annex A) in its
 * virtual-scheduling form, without tolerance. All worker processes share the rows and use the database's clock, so
 * together they keep to the rate. The rows are locked in a fixed order, so that two processes never deadlock.
 *
 * @returns milliseconds until the messages may be sent; 0: now
 */
export async function reserveSending(
  db: Sql,
  subjects: RateLimitedSubject[],
  messages: number,
): Promise<number> {
  const limited = recordset(subjects, 'limited', { subject: 'text', perSecond: 'float8' });
  const { rows } = await sql<{ waitMs: number }>`
    with reserved as (
      insert into sending_rates as rate (subject, free_at)
      select subject, clock_timestamp() + make_interval(secs => ${messages} / "perSecond")
      from ${limited}
      order by subject
      on conflict (subject) do update
        set free_at = greatest(rate.free_at, clock_timestamp()) + (excluded.free_at - clock_timestamp())
      returning subject, free_at
    )
    select greatest(0, 1000 * max(extract(epoch from
      free_at - make_interval(secs => ${messages} / "perSecond") - clock_timestamp())))::float8 as "waitMs"
    from reserved join ${limited} using (subject)
  `.execute(db);
  return rows[0]!.waitMs;
}

/** Deletes the row of a batch that no longer needs it. */
export async function forgetRate(db: Sql, subject: string): Promise<void> {
  await sql`delete from sending_rates where subject = ${subject}`.execute(db);
}
