import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Database, Sql } from '../../database.ts';
import type { Log } from '../../log.ts';
import { securityCodesUnverified } from '../../notifications/notification-events.ts';
import { recordNotifications } from '../../notifications/record-notifications.ts';
import { recordset } from '../../recordset.ts';
import { repeatUntilStopped } from '../../repeat-until-stopped.ts';
import { toDate, type Stored } from '../../stored-rows.ts';
import { destinationPrefix, longestPrefix } from './destination-prefix.ts';
import { ensureWatch } from './ensure-watch.ts';
import { isExempt } from './is-exempt.ts';
import type { SecurityCodeWatch } from './security-code-watch.entity.ts';

const pauseMs = 60_000;
const minuteMs = 60_000;

/** The sliding window: the codes of so long count. */
export const windowMs = 60 * minuteMs;

/**
 * A code counts when it is so old. Before, most people have not typed it yet; and its transaction has long been
 * committed, so each minute can be counted once.
 */
export const settledAfterMs = 5 * minuteMs;

/** An alarm that was raised in a round. */
export interface RaisedAlarm {
  id: string;
  organizationId: string;
  prefix: string;
  /** Whether codes to the prefix are refused while the alarm lasts. */
  holds: boolean;
  codes: number;
  verified: number;
  raisedAt: Date;
  endsAt: Date;
}

/**
 * Counts the security codes and raises the alarms, now and once a minute. Any number of workers may run this: one at a
 * time does the work.
 */
export function startWatchingConversion(dependencies: { database: Database; log: Log; now: () => Date }): {
  stop: () => Promise<void>;
} {
  const { database, log, now } = dependencies;
  return repeatUntilStopped({
    pauseMs,
    round: async () => {
      for (const { id, organizationId, holds, codes, verified } of await watchConversion(database, now())) {
        log.warn(
          { alarmId: id, organizationId, codes, verified },
          holds
            ? 'few security codes to a prefix are verified: no more are sent to it'
            : 'few security codes to a prefix are verified',
        );
      }
    },
    onFailure: (error) => log.warn({ err: error }, 'security codes are not watched; the watch is retried'),
  });
}

/**
 * Does a round in one transaction: counts the codes of the minutes that have settled, ends the alarms whose time is over,
 * and raises an alarm for each organization and prefix with many codes of which few are verified.
 *
 * Its cost depends on the codes of the last minutes, however many are stored: each is read once.
 *
 * @returns the alarms that were raised; none while another worker is at it, or an administrator changes the settings
 */
export async function watchConversion(database: Database, now: Date): Promise<RaisedAlarm[]> {
  return database.em.fork().transactional(async (em) => {
    const db = em.getKysely<unknown>();
    await ensureWatch(db);
    const watch = await lockWatch(db);
    if (!watch || watch.mode === 'off') return [];
    const end = new Date(Math.floor((now.getTime() - settledAfterMs) / minuteMs) * minuteMs);
    const start = new Date(end.getTime() - windowMs);
    await countCodes(db, watch.countedTo !== null && watch.countedTo > start ? watch.countedTo : start, end);
    await forgetOldCounts(db, start, end);
    await endAlarms(db, now);
    const suspects = await findSuspects(db, watch, start);
    if (suspects.length === 0) return [];
    const raised = await raiseAlarms(db, suspects, watch, now);
    for (const { id, organizationId, prefix, holds, codes, verified } of raised) {
      recordAuditEvent(
        em,
        { actor: { kind: 'system', id: null }, impersonatedBy: null, organizationId },
        { action: 'security_code_alarm.raised', subjectId: id, details: { prefix, holds, codes, verified } },
      );
    }
    // The notifications are the last, because others who notify the same people wait for them.
    await em.flush();
    await recordNotifications(db, raised.map(securityCodesUnverified), now);
    return raised;
  });
}

type Watch = Omit<SecurityCodeWatch, 'id' | 'updatedAt'>;

/** @returns null if another transaction has locked the settings */
async function lockWatch(db: Sql): Promise<Watch | null> {
  const { rows } = await sql<Stored<Watch>>`
    select mode, min_codes as "minCodes", min_verified_percent as "minVerifiedPercent", hold_hours as "holdHours",
      to_json(exempt_organization_ids) as "exemptOrganizationIds", to_json(exempt_prefixes) as "exemptPrefixes",
      counted_to as "countedTo"
    from security_code_watch for update skip locked
  `.execute(db);
  return rows[0] ? { ...rows[0], countedTo: toDate(rows[0].countedTo) } : null;
}

interface Count {
  organizationId: string;
  prefix: string;
  minute: string;
  codes: number;
  verified: number;
}

/**
 * Counts the codes that were created from `from` on and before `to`. Those whose message waits or has failed are left out:
 * nobody could verify them, so an outage of the gateway raises no alarm.
 */
async function countCodes(db: Sql, from: Date, to: Date): Promise<void> {
  if (from >= to) return;
  // Where a calling code ends is known here and not in PostgreSQL, which therefore counts by the longest prefix.
  const { rows } = await sql<Count>`
    select code.organization_id as "organizationId", left(code.recipient, ${longestPrefix}) as prefix,
      date_trunc('minute', code.created_at) as minute,
      count(*)::int as codes, count(*) filter (where code.status = 'verified')::int as verified
    from security_codes code
    join messages on messages.id = code.message_id
    where code.environment = 'live' and code.created_at >= ${from} and code.created_at < ${to}
      and (messages.status in ('accepted', 'sent', 'delivered') or code.status = 'verified')
    group by 1, 2, 3
  `.execute(db);
  if (rows.length === 0) return;
  const counts = rows.map((row) => ({ ...row, prefix: destinationPrefix(row.prefix) }));
  await sql`
    insert into security_code_counts (organization_id, prefix, minute, codes, verified)
    select "organizationId", prefix, minute, sum(codes), sum(verified)
    from ${recordset(counts, 'count', {
      ...{
        organizationId: 'uuid',
        prefix: 'text',
        minute: 'timestamptz',
        codes: 'integer',
        verified: 'integer',
      },
    })}
    group by 1, 2, 3
  `.execute(db);
}

async function forgetOldCounts(db: Sql, start: Date, countedTo: Date): Promise<void> {
  await sql`
    with forgotten as (delete from security_code_counts where minute < ${start})
    update security_code_watch set counted_to = greatest(counted_to, ${countedTo}::timestamptz)
  `.execute(db);
}

async function endAlarms(db: Sql, now: Date): Promise<void> {
  await sql`
    update security_code_alarms set ended_at = ends_at where ended_at is null and ends_at <= ${now}
  `.execute(db);
}

/**
 * Finds the organizations and prefixes for which an alarm is due. After an alarm has ended, only codes of later minutes
 * count: those before it have raised it already.
 */
async function findSuspects(
  db: Sql,
  watch: Watch,
  start: Date,
): Promise<Pick<RaisedAlarm, 'organizationId' | 'prefix' | 'codes' | 'verified'>[]> {
  const { rows } = await sql<Pick<RaisedAlarm, 'organizationId' | 'prefix' | 'codes' | 'verified'>>`
    with ended as (
      select organization_id, prefix, max(ended_at) as ended_at from security_code_alarms
      where ended_at > ${start} group by 1, 2
    )
    select count.organization_id as "organizationId", count.prefix, sum(codes)::int as codes,
      sum(verified)::int as verified
    from security_code_counts count
    left join ended on ended.organization_id = count.organization_id and ended.prefix = count.prefix
    where minute >= ${start} and (ended.ended_at is null or minute >= ended.ended_at)
      and not ${isExempt('count', watch)}
    group by 1, 2
    having sum(codes) >= ${watch.minCodes}::int
      and sum(verified) * 100 < sum(codes) * ${watch.minVerifiedPercent}::int
  `.execute(db);
  return rows;
}

/**
 * Stores the alarms. An open alarm stays as it is, except that one which only warned begins to hold after the mode has
 * become `hold`.
 */
async function raiseAlarms(
  db: Sql,
  suspects: Pick<RaisedAlarm, 'organizationId' | 'prefix' | 'codes' | 'verified'>[],
  { mode, holdHours }: Watch,
  now: Date,
): Promise<RaisedAlarm[]> {
  const alarms = suspects.map((suspect) => ({ id: uuidv7(), ...suspect }));
  const { rows } = await sql<Stored<RaisedAlarm>>`
    insert into security_code_alarms as alarm (
      id, organization_id, prefix, holds, codes, verified, raised_at, ends_at
    )
    select id, "organizationId", prefix, ${mode}::text = 'hold', codes, verified, ${now}::timestamptz,
      ${now}::timestamptz + make_interval(hours => ${holdHours}::int)
    from ${recordset(alarms, 'suspect', {
      ...{ id: 'uuid', organizationId: 'uuid', prefix: 'text', codes: 'integer', verified: 'integer' },
    })}
    on conflict (organization_id, prefix) where ended_at is null do update set
      holds = true, codes = excluded.codes, verified = excluded.verified, raised_at = excluded.raised_at,
      ends_at = excluded.ends_at
    where excluded.holds and not alarm.holds
    returning id, organization_id as "organizationId", prefix, holds, codes, verified, raised_at as "raisedAt",
      ends_at as "endsAt"
  `.execute(db);
  return rows.map((row) => ({ ...row, raisedAt: toDate(row.raisedAt), endsAt: toDate(row.endsAt) }));
}
