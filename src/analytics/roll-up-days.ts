import { sql, type RawBuilder } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { sqlOf, type Database, type Sql } from '../database.ts';
import type { Log } from '../log.ts';
import { timezoneOf, timezoneSetting } from '../organizations/timezone.ts';
import { environments } from '../principal.ts';
import { recordset } from '../recordset.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { countTables, list, lockCounts } from './count-tables.ts';
import { forgetAllDays } from './forget-days.ts';
import { startOfDate } from './report-range.ts';

const pauseMs = 60_000;

/**
 * A day is rolled up when it began so long ago: its messages are final after at most 6 days, and then nothing changes
 * its counts any more.
 */
const settledAfterMs = 8 * 86_400_000;

/** A day with fewer messages has hardly more counts in its slots than it would have in sum. */
const worthwhileMessages = 1000;

/** The maximum of organizations, and of days of each, in one transaction, during which nothing is folded. */
const organizationsAtOnce = 20;
const daysAtOnce = 31;

/**
 * Rolls up the days that have settled, now and once a minute. Any number of workers may run this: one at a time does
 * the work. It affects only the speed of analytics, not their results.
 */
export function startRollingUp({ database, log }: { database: Database; log: Log }): {
  stop: () => Promise<void>;
} {
  return repeatUntilStopped({
    pauseMs,
    round: async (stopping) => {
      while (!stopping.aborted && (await rollUpDays(database, new Date())) === 'more');
    },
    onFailure: (error) => log.warn({ err: error }, 'days cannot be rolled up; rolling up is retried'),
  });
}

/**
 * Stores the sums of days that have settled, for some of the organizations that are behind: those with a new day, a
 * new time zone, a change in a day that was rolled up before, or, after an upgrade, all of their days.
 *
 * The sums are made from the counts under the lock that every change of counts needs, so they are exact when they are
 * committed, and the fold keeps them exact by deleting the days that it changes.
 *
 * @returns `done` when no organization is behind
 */
export async function rollUpDays(
  database: Database,
  now: Date,
  leastMessages = worthwhileMessages,
): Promise<'done' | 'more'> {
  const settled = new Date(now.getTime() - settledAfterMs);
  return sqlOf(database)
    .transaction()
    .execute(async (transaction) => {
      await lockCounts(transaction);
      const behind = await findBehind(transaction, settled);
      if (behind.length === 0) return 'done';
      await forgetAllDays(
        transaction,
        behind.filter(({ rolledUpTo }) => rolledUpTo === null).map(({ organizationId }) => organizationId),
      );
      const advanced = behind.map((organization) => ({
        ...organization,
        days: findDays(organization, settled),
      }));
      await storeDays(
        transaction,
        advanced.flatMap(({ organizationId, days }) => days.map((day) => ({ organizationId, ...day }))),
        leastMessages,
      );
      await storeProgress(transaction, advanced);
      return 'more';
    });
}

interface Behind {
  organizationId: string;
  /** The setting of the organization, which may be absent or wrong. */
  timezone: string | null;
  /** null if nothing is rolled up in this time zone. */
  rolledUpTo: Date | null;
  /** The first slot with counts; null if there is none. */
  firstSlot: Date | null;
}

async function findBehind(db: Sql, settled: Date): Promise<Behind[]> {
  const { rows } = await sql<Stored<Behind>>`
    select behind.*, (
      select min(slot) from unnest(${[...environments]}::text[]) environment cross join lateral (
        select slot from message_counts
        where organization_id = behind."organizationId" and message_counts.environment = environment.environment
        order by slot limit 1
      ) earliest
    ) as "firstSlot"
    from (
      select organizations.id as "organizationId", setting.timezone,
        case when progress.timezone is not distinct from setting.timezone then rolled_up_to end as "rolledUpTo"
      from organizations
      cross join lateral (select ${timezoneSetting} as timezone) setting
      left join roll_up_progress progress on progress.organization_id = organizations.id
      where rolled_up_to is null or rolled_up_to < ${settled} or progress.timezone is distinct from setting.timezone
      limit ${organizationsAtOnce}
    ) behind
  `.execute(db);
  return rows.map((row) => ({
    ...row,
    rolledUpTo: toDate(row.rolledUpTo),
    firstSlot: toDate(row.firstSlot),
  }));
}

interface Day {
  firstSlot: Date;
  nextSlot: Date;
}

/**
 * The next days of an organization that began before `settled`: at least one, so that each round gets further.
 * Without counts there is nothing to sum up before the last one.
 */
function findDays({ timezone, rolledUpTo, firstSlot }: Behind, settled: Date): Day[] {
  const zone = timezoneOf(timezone);
  const latest = new Date(settled.getTime() - 1);
  const from = rolledUpTo ?? (firstSlot !== null && firstSlot < latest ? firstSlot : latest);
  let date = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const days: Day[] = [];
  for (let begin = startOfDate(date, zone); begin < settled && days.length < daysAtOnce;) {
    date = date.add({ days: 1 });
    const end = startOfDate(date, zone);
    // A zone may skip a date.
    if (begin < end) days.push({ firstSlot: begin, nextSlot: end });
    begin = end;
  }
  return days;
}

/** Sums up the days, except those that are not worth it and those that are rolled up. */
async function storeDays(
  db: Sql,
  days: (Day & { organizationId: string })[],
  leastMessages: number,
): Promise<void> {
  const given = recordset(days, 'day', {
    ...{ organizationId: 'uuid', firstSlot: 'timestamptz', nextSlot: 'timestamptz' },
  });
  const ofDay = sql`organization_id = day."organizationId" and environment = any (${[...environments]}::text[])
        and slot >= day."firstSlot" and slot < day."nextSlot"`;
  await sql`
    with chosen as (
      insert into rolled_up_days (organization_id, first_slot, next_slot)
      select "organizationId", "firstSlot", "nextSlot" from ${given}
      where (
        select sum(queued + accepted + sent + delivered + failed + cancelled) from message_counts where ${ofDay}
      ) >= ${leastMessages}
      on conflict do nothing
      returning organization_id as "organizationId", first_slot as "firstSlot", next_slot as "nextSlot"
    )${sql.join(
      countTables.map((tables) => sumUp(tables, ofDay)),
      sql``,
    )}
    select
  `.execute(db);
}

function sumUp(
  { counts, dayCounts, keys, counters }: (typeof countTables)[number],
  ofDay: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const groups = keys.filter((key) => key !== 'slot');
  return sql`, ${sql.table(`summed_${counts}`)} as (
      insert into ${sql.table(dayCounts)} (slot, ${list(groups)}, ${list(counters)})
      select day."firstSlot", sums.* from chosen day cross join lateral (
        select ${list(groups)}, ${list(counters, (name) => `sum(${name})`)} from ${sql.table(counts)}
        where ${ofDay} group by ${list(groups)}
      ) sums
    )`;
}

async function storeProgress(db: Sql, advanced: (Behind & { days: Day[] })[]): Promise<void> {
  const progress = advanced.map(({ organizationId, timezone, days }) => ({
    ...{ organizationId, timezone, rolledUpTo: days.at(-1)!.nextSlot },
  }));
  await sql`
    insert into roll_up_progress (organization_id, timezone, rolled_up_to)
    select * from ${recordset(progress, 'progress', {
      ...{ organizationId: 'uuid', timezone: 'text', rolledUpTo: 'timestamptz' },
    })}
    on conflict (organization_id) do update set timezone = excluded.timezone, rolled_up_to = excluded.rolled_up_to
  `.execute(db);
}
