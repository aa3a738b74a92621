import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { Log } from '../log.ts';
import { prepared } from '../prepared-statements.ts';
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

/**
 * What one request uses. The second subject is counted only if the first is within its limit, so that a key which is
 * refused uses up nothing of its organization.
 */
export type Counted = [first: Limited, second?: Limited];

/** Counts uses in counters that all processes share. */
export interface RequestCounter {
  count: (counted: Counted) => Promise<Allowance>;
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
  const count = createBatcher<Counted, Allowance>({
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

async function countRequests(db: Sql, requests: Counted[], nowMs: number): Promise<Allowance[]> {
  const firsts = requests.map(([first]) => first);
  // Requests that are counted together have an order: the first of them may be the last that is allowed.
  const laterUses = countLaterUses(firsts);
  const used = await addUses(
    db,
    joinAlike(
      requests.map(([first, second], index) => ({
        ...useOf(first, nowMs),
        limit: first.limit,
        uses: 1,
        laterUses: laterUses[index]!,
        second: second && useOf(second, nowMs),
      })),
    ),
  );
  const allowanceOf = ({ subject, limit, windowMs = minuteMs }: Limited, later: number): Allowance => {
    const endMs = startOf(nowMs, windowMs) + windowMs;
    const remaining = limit - ((used.get(subject) ?? 0) - later);
    return { limit, remaining, resetSeconds: Math.ceil((endMs - nowMs) / 1000), windowMs };
  };
  const allowances = firsts.map((first, index) => allowanceOf(first, laterUses[index]!));
  const seconds = requests.map(([, second], index) =>
    allowances[index]!.remaining >= 0 ? second : undefined,
  );
  const laterSecondUses = countLaterUses(seconds);
  return allowances.map((allowance, index) => {
    const second = seconds[index];
    if (!second) return allowance;
    const other = allowanceOf(second, laterSecondUses[index]!);
    return other.remaining < allowance.remaining ? other : allowance;
  });
}

/** Counts, for each use, the uses of the same subject that come after it. */
function countLaterUses(uses: (Limited | undefined)[]): number[] {
  const counts = new Map<string, number>();
  return uses
    .toReversed()
    .map((use) => {
      if (!use) return 0;
      const later = counts.get(use.subject) ?? 0;
      counts.set(use.subject, later + 1);
      return later;
    })
    .toReversed();
}

/** A use, as the statement reads it. */
interface Use {
  subject: string;
  windowStart: Date;
  windowSeconds: number;
}

/** Uses of one subject that follow each other, with the same second subject. */
interface FirstUses extends Use {
  limit: number;
  uses: number;
  /** The uses of the same subject that come after these. */
  laterUses: number;
  second: Use | undefined;
}

/**
 * Joins the uses of each subject as long as they are alike, so that the statement reads one row for each caller rather
 * than for each request. Two callers who alternate do not separate each other's uses.
 */
function joinAlike(uses: FirstUses[]): FirstUses[] {
  const joined: FirstUses[] = [];
  const lastOf = new Map<string, FirstUses>();
  for (const use of uses) {
    const last = lastOf.get(use.subject);
    if (last?.limit === use.limit && last.second?.subject === use.second?.subject) {
      last.uses += 1;
      last.laterUses = use.laterUses;
    } else {
      const row = { ...use };
      joined.push(row);
      lastOf.set(use.subject, row);
    }
  }
  return joined;
}

function useOf({ subject, windowMs = minuteMs }: Limited, nowMs: number): Use {
  return { subject, windowStart: new Date(startOf(nowMs, windowMs)), windowSeconds: windowMs / 1000 };
}

function startOf(nowMs: number, windowMs: number): number {
  return Math.floor(nowMs / windowMs) * windowMs;
}

/**
 * Adds the uses, and returns the uses of each subject. Subjects are written in sorted order, and all first subjects
 * before any second, so that two processes never wait for each other.
 */
async function addUses(db: Sql, uses: FirstUses[]): Promise<Map<string, number>> {
  const rows = uses.map(({ second, ...first }) => ({
    ...first,
    secondSubject: second?.subject,
    secondWindowStart: second?.windowStart,
    secondWindowSeconds: second?.windowSeconds,
  }));
  const addition = sql`
    on conflict (subject) do update set
      -- A process whose clock is behind adds to the newer window rather than bring the old one back.
      used = case when counter.window_start < excluded.window_start then 0 else counter.used end + excluded.used,
      window_start = greatest(counter.window_start, excluded.window_start)
    returning subject, used`;
  const counted = await sql<{ subject: string; used: number }>`${prepared('count_requests')}
    with use as materialized (
      select * from ${recordset(rows, 'row', {
        subject: 'text',
        windowStart: 'timestamptz',
        windowSeconds: 'integer',
        limit: 'integer',
        uses: 'integer',
        laterUses: 'integer',
        secondSubject: 'text',
        secondWindowStart: 'timestamptz',
        secondWindowSeconds: 'integer',
      })}
    ), first as (
      insert into rate_limit_counters as counter (subject, window_start, window_seconds, used)
      select subject, "windowStart", "windowSeconds", sum(uses)
      from use group by 1, 2, 3 order by subject
      ${addition}
    ), second as (
      insert into rate_limit_counters as counter (subject, window_start, window_seconds, used)
      -- Of the uses in a row, those that come first are within the limit.
      select "secondSubject", "secondWindowStart", "secondWindowSeconds",
        sum(least(uses, "limit" - (first.used - "laterUses" - uses)))
      from use join first using (subject)
      where "secondSubject" is not null and first.used - "laterUses" - uses < "limit"
      group by 1, 2, 3 order by "secondSubject"
      ${addition}
    )
    select subject, used from first union all select subject, used from second
  `.execute(db);
  return new Map(counted.rows.map(({ subject, used }) => [subject, used]));
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
