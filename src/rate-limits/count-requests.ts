import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { Log } from '../log.ts';
import { recordset } from '../recordset.ts';

/** The default window of a limit. */
export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** A subject and its maximum number of uses per window. */
export interface Limited {
  /** `key:<id>`, `session:<id>`, `organization:<id>`, `address:<network>`, `account:<operation>:<keyed hash>`, … */
  subject: string;
  limit: number;
  /** A minute by default; always the same for one subject. Windows begin at multiples of it (UTC). */
  windowMs?: number;
}

/** The remaining uses of the request's subject with the fewest uses left. */
export interface Allowance {
  limit: number;
  /** Below zero if the request exceeds the limit. */
  remaining: number;
  resetSeconds: number;
  windowMs: number;
}

/** Counts uses in counters that all processes share. */
export interface RequestCounter {
  count: (limited: Limited[]) => Promise<Allowance>;
  /**
   * Undoes the count of a use that turned out not to count. Never rejects: if it fails, the use stays counted until the
   * window ends.
   */
  giveBack: (limited: Limited[]) => Promise<void>;
  stop: () => void;
}

/** The maximum number of requests that one statement counts. */
const requestsAtOnce = 500;
const pruneEveryMs = 10 * 60_000;

/**
 * Creates the counter of requests. All processes count in the same rows, so a limit applies to all of them together.
 * Concurrent requests are counted by one statement and share its round trip.
 */
export function createRequestCounter(
  database: Database,
  log: Log,
  now: () => Date = () => new Date(),
): RequestCounter {
  const db = sqlOf(database);
  const count = createBatcher<Limited[], Allowance>({
    maxItems: requestsAtOnce,
    run: (requests) => countRequests(db, requests, now().getTime()),
  });
  const timer = setInterval(() => {
    sql`delete from rate_limit_counters where window_start + make_interval(secs => 2 * window_seconds) < ${now()}`
      .execute(db)
      .catch((error: unknown) => log.warn({ err: error }, 'old rate limit counters were not removed'));
  }, pruneEveryMs);
  timer.unref();
  return {
    count,
    giveBack: (limited) =>
      removeUses(db, limited, now().getTime()).catch((error: unknown) =>
        log.warn({ err: error }, 'a rate limit use could not be undone'),
      ),
    stop: () => clearInterval(timer),
  };
}

async function countRequests(db: Sql, requests: Limited[][], nowMs: number): Promise<Allowance[]> {
  const uses = new Map<string, Uses>();
  for (const { subject, windowMs = minuteMs } of requests.flat()) {
    uses.set(subject, { used: (uses.get(subject)?.used ?? 0) + 1, windowMs });
  }
  const counted = await addUses(db, uses, nowMs);
  // Requests that are counted together have an order: the first of them may be the last that is allowed.
  const before = new Map(
    [...uses].map(([subject, { used }]) => [subject, (counted.get(subject) ?? used) - used]),
  );
  return requests.map((limited) => {
    const left = limited.map(({ subject, limit, windowMs = minuteMs }) => {
      const used = (before.get(subject) ?? 0) + 1;
      before.set(subject, used);
      const endMs = startOf(nowMs, windowMs) + windowMs;
      return { limit, remaining: limit - used, resetSeconds: Math.ceil((endMs - nowMs) / 1000), windowMs };
    });
    return left.reduce((least, one) => (one.remaining < least.remaining ? one : least));
  });
}

interface Uses {
  used: number;
  windowMs: number;
}

function startOf(nowMs: number, windowMs: number): number {
  return Math.floor(nowMs / windowMs) * windowMs;
}

/** Subjects are written in sorted order, so that two processes never wait for each other. */
async function addUses(db: Sql, uses: Map<string, Uses>, nowMs: number): Promise<Map<string, number>> {
  const added = [...uses].map(([subject, { used, windowMs }]) => ({
    subject,
    used,
    windowSeconds: windowMs / 1000,
    windowStart: new Date(startOf(nowMs, windowMs)),
  }));
  const { rows } = await sql<{ subject: string; used: number }>`
    insert into rate_limit_counters as counter (subject, window_start, window_seconds, used)
    select subject, "windowStart", "windowSeconds", used
    from ${recordset(added, 'use', {
      subject: 'text',
      windowStart: 'timestamptz',
      windowSeconds: 'integer',
      used: 'integer',
    })}
    order by subject
    on conflict (subject) do update set
      -- A process whose clock is behind adds to the newer window rather than bring the old one back.
      used = case when counter.window_start < excluded.window_start then 0 else counter.used end + excluded.used,
      window_start = greatest(counter.window_start, excluded.window_start)
    returning subject, used
  `.execute(db);
  return new Map(rows.map(({ subject, used }) => [subject, used]));
}

/** Changes nothing for a window that has ended. Rows are locked in the order in which they are written. */
async function removeUses(db: Sql, limited: Limited[], nowMs: number): Promise<void> {
  const counted = limited.map(({ subject, windowMs = minuteMs }) => ({
    subject,
    windowStart: new Date(startOf(nowMs, windowMs)),
  }));
  await sql`
    update rate_limit_counters counter set used = used - 1
    from (
      select subject from rate_limit_counters
      join ${recordset(counted, 'use', { subject: 'text', windowStart: 'timestamptz' })} using (subject)
      where window_start = "windowStart" and used > 0
      order by subject for update of rate_limit_counters
    ) counted
    where counter.subject = counted.subject
  `.execute(db);
}
