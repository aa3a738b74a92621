import { sql, type RawBuilder } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import type { DispatchKind } from './dispatch.entity.ts';
import { insertDispatch } from './insert-dispatch.ts';

/** The time after its start when a dispatch is first checked. Its first activity sets the next time. */
const firstWakeSeconds = 10;

interface DispatchSource {
  table: RawBuilder<unknown>;
  /** The condition for unclaimed rows (aliased `candidate`) that may be claimed now. */
  claimable: RawBuilder<unknown>;
  /** The condition for rows that are not final. */
  open: RawBuilder<unknown>;
  /** The outcome of the last attempt of a row (aliased `first_due`), as a code. */
  lastReason: RawBuilder<unknown>;
}

/** The tables whose rows are processed in dispatches. Each has id, organization_id, status, dispatch_id and due_at. */
export const dispatchSources: Record<DispatchKind, DispatchSource> = {
  messages: {
    table: sql`messages`,
    claimable: sql`candidate.status = 'queued'`,
    open: sql`status in ('queued', 'accepted', 'sent')`,
    lastReason: sql`(
      select coalesce(details->>'reason', details->>'outcome') from message_events
      where message_id = first_due.id and kind in ('submission_answered', 'submission_doubtful')
      order by message_events.id desc limit 1
    )`,
  },
  webhooks: {
    table: sql`webhook_deliveries`,
    // The webhook events of a message are sent in order: an event waits until the first attempt of each earlier one has
    // ended.
    claimable: sql`candidate.status = 'pending' and not exists (
      select from webhook_deliveries earlier
      where earlier.message_id = candidate.message_id
        and earlier.position < candidate.position and earlier.status = 'pending'
    )`,
    open: sql`status in ('pending', 'retrying')`,
    lastReason: sql`(
      select coalesce(error, 'HTTP ' || response_status) from webhook_attempts
      where delivery_id = first_due.id and duration_ms is not null order by number desc limit 1
    )`,
  },
  'security-codes': {
    table: sql`security_codes`,
    claimable: sql`candidate.status = 'pending'`,
    open: sql`status = 'pending'`,
    // If a code is not verified, the first question is whether its message was delivered.
    lastReason: sql`(
      select 'message ' || messages.status from security_codes
      join messages on messages.id = security_codes.message_id where security_codes.id = first_due.id
    )`,
  },
  inbound: {
    table: sql`inbound_messages`,
    claimable: sql`candidate.status = 'received'`,
    open: sql`status in ('received', 'processing')`,
    // Nothing is recorded for an interrupted attempt: its row is unchanged.
    lastReason: sql`null::text`,
  },
};

/**
 * Creates a dispatch from those of the given rows that are not claimed yet. It is one statement, so API and sweep can
 * run concurrently. The dispatch takes its id from a row that this statement claims. The id of any other row could
 * belong to a running dispatch, which would not look for new rows. A row that is processed for the second time, such as
 * a redriven delivery, may have given its id to its earlier dispatch. Then another row gives its id, or, if none can,
 * the id is a new one.
 *
 * @returns the dispatch, or null if no row was left to claim
 */
export async function claimRows(
  db: Sql,
  kind: DispatchKind,
  ids: string[],
): Promise<{ dispatchId: string; organizationIds: string[]; rows: number } | null> {
  const { table, claimable } = dispatchSources[kind];
  const { rows } = await sql<{ id: string; organization_ids: string[]; claimed: number }>`
    with free as (
      select id, organization_id from ${table} candidate
      where id = any(${ids}::uuid[]) and dispatch_id is null and ${claimable}
      order by id for no key update skip locked
    ), first as (
      select coalesce(
        (select id from free
          where not exists (select from dispatches where dispatches.id = free.id and kind = ${kind})
          order by id limit 1),
        ${uuidv7()}
      ) as id
      where exists (select from free)
    ), claimed as (
      update ${table} claimed set dispatch_id = first.id from free, first where claimed.id = free.id
    )
    ${insertDispatch(
      kind,
      {
        id: sql`first.id`,
        organizationIds: sql`(
          select coalesce(array_agg(distinct organization_id) filter (where organization_id is not null), '{}') from free
        )`,
        isBulk: false,
        createdAt: sql`now()`,
        wakeSeconds: firstWakeSeconds,
      },
      sql`from first`,
    )}
    returning id, organization_ids, (select count(*)::int from free) as claimed
  `.execute(db);
  const row = rows[0];
  return row ? { dispatchId: row.id, organizationIds: row.organization_ids, rows: row.claimed } : null;
}
