import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { insertEvents } from '../messages/timeline/insert-events.ts';
import { createRunDueOccurrences } from '../schedules/run-due-occurrences.ts';

/** What was changed after a restore, in numbers. */
export interface SettledRestore {
  /** Messages whose submission is in doubt now. */
  doubtfulMessages: number;
  expiredCodes: number;
  pausedBatches: number;
  cancelledRedrives: number;
  /** Schedules with occurrences that are recorded as missed. */
  schedulesWithMissedRuns: number;
  endedSessions: number;
  /** Dispatches, schedules and imports whose workflows start anew. */
  startedAgain: number;
  /** Keys that are valid now. Those that were revoked after the backup are among them. */
  validKeys: number;
  /** Messages from phones whose replies may be sent twice. */
  openInboundMessages: number;
}

/**
 * Makes a database that shows an earlier moment safe to work with, before any process of the service starts. What
 * happened after that moment is unknown, so nothing may be done as if it had not happened:
 * - a queued message may have been submitted. Its submission is in doubt, and its timeline says why. It is submitted
 *   when no report arrives within `doubtSeconds`;
 * - a pending security code may have been used. It expires;
 * - a batch in progress may have sent more. It is paused until someone has compared it with the gateway's log;
 * - occurrences of schedules that were due since then may have been sent. They are recorded as missed;
 * - a redrive in progress may have done more. It is cancelled;
 * - a session may have been ended. All sessions end;
 * - Temporal's workflows are of another moment, or lost. The sweep starts all that are needed again.
 *
 * If it is interrupted, call it again.
 *
 * @param asOf the moment that the database shows
 */
export async function settleAfterRestore(options: {
  database: Database;
  asOf: Date;
  doubtSeconds: number;
  now: () => Date;
}): Promise<SettledRestore> {
  const { database, asOf, doubtSeconds, now } = options;
  const db = sqlOf(database);
  const count = async (statement: ReturnType<typeof sql>, within: Sql = db): Promise<number> =>
    Number((await statement.execute(within)).numAffectedRows ?? 0);

  const settled = await db.transaction().execute(async (transaction) => ({
    doubtfulMessages: await doubtMessages(transaction, asOf, doubtSeconds, now()),
    expiredCodes: await count(
      sql`update security_codes set status = 'expired', due_at = null where status = 'pending'`,
      transaction,
    ),
    pausedBatches: await count(
      sql`
        update bulk_batches set status = 'paused', wake_at = null, window_started_at = null, measured_per_second = null
        where status in ('pending', 'processing')
      `,
      transaction,
    ),
    cancelledRedrives: await count(
      sql`update redrives set status = 'cancelled', ended_at = ${now()} where ended_at is null`,
      transaction,
    ),
    endedSessions: await count(sql`delete from sessions`, transaction),
    startedAgain:
      (await count(sql`update dispatches set wake_at = ${now()} where settled_at is null`, transaction)) +
      (await count(
        sql`update message_schedules set wake_at = ${now()} where status = 'active'`,
        transaction,
      )) +
      (await count(
        sql`update contact_imports set wake_at = ${now()} where status = 'processing'`,
        transaction,
      )),
  }));
  return { ...settled, schedulesWithMissedRuns: await missRuns(database, now), ...(await countWarnings(db)) };
}

async function doubtMessages(db: Sql, asOf: Date, doubtSeconds: number, now: Date): Promise<number> {
  const dueAt = new Date(now.getTime() + doubtSeconds * 1000);
  const { rows } = await sql<{ messages: number }>`
    with doubtful as (
      update messages set outcome_unknown = true, due_at = ${dueAt}
      where status = 'queued' and created_at <= ${asOf} and (not outcome_unknown or due_at <= ${now})
      returning id, organization_id, attempts
    ), noted as (
      ${insertEvents(sql`
        select organization_id, id, ${now}::timestamptz, 'submission_doubtful', null,
          jsonb_build_object('attempt', attempts, 'reason', 'restored_from_backup')
        from doubtful
      `)}
    )
    select count(*)::int as messages from doubtful
  `.execute(db);
  return rows[0]!.messages;
}

/** Records each occurrence up to now as missed: none of them is late enough to be missed by the usual rule alone. */
async function missRuns(database: Database, now: () => Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from message_schedules where status = 'active' and next_run_at < ${now()} order by id
  `.execute(sqlOf(database));
  const recordMissed = createRunDueOccurrences({
    // Nothing is sent, so nobody's opt-out is looked up.
    hashNumber: () => Promise.resolve(''),
    database,
    startMessages: () => undefined,
    latenessMs: 0,
    now,
  });
  for (const { id } of rows) await recordMissed(id);
  return rows.length;
}

async function countWarnings(db: Sql): Promise<Pick<SettledRestore, 'validKeys' | 'openInboundMessages'>> {
  const { rows } = await sql<{ validKeys: number; openInboundMessages: number }>`
    select
      (select count(*)::int from api_keys where revoked_at is null and (expires_at is null or expires_at > now()))
        as "validKeys",
      (select count(*)::int from inbound_messages where status in ('received', 'processing')) as "openInboundMessages"
  `.execute(db);
  return rows[0]!;
}
