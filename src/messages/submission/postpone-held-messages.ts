import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { prepared } from '../../prepared-statements.ts';
import { holds } from '../../sending-controls/sending-conditions.ts';
import { isHeld, isUncounted } from './claim-due-messages.ts';

/** How long a held message waits until its workflow looks again: as long as the hold already lasts, within bounds. */
const [minWaitSeconds, maxWaitSeconds] = [10, 300];

/**
 * Postpones the due messages of a dispatch whose organization an administrator holds, or all live ones while the
 * platform is held. Nothing is submitted and nothing is lost; after the release they are submitted within five minutes.
 *
 * The waits grow with the hold, because each of them costs a run of the activity, and a hundred thousand dispatches
 * may be waiting.
 *
 * @returns the organizations with other due messages that must be counted within caps: `admitCappedMessages`. They are
 *   read here because the dispatch costs one round trip less; while nobody has caps, no message is read.
 */
export async function postponeHeldMessages(db: Sql, dispatchId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ organizationId: string }>`${prepared('postpone_held_messages')}
    with hold as materialized (${holds}), postponed as (
      update messages set due_at = least(
        ${now}::timestamptz + least(
          greatest(${now}::timestamptz - hold.held_at, make_interval(secs => ${minWaitSeconds})),
          make_interval(secs => ${maxWaitSeconds})
        ),
        valid_until
      )
      from hold
      where dispatch_id = ${dispatchId} and status = 'queued' and environment = 'live' and due_at <= ${now}
        and valid_until > ${now} and (hold.organization_id is null or hold.organization_id = messages.organization_id)
    )
    select distinct organization_id as "organizationId" from messages
    where dispatch_id = ${dispatchId} and status = 'queued' and due_at <= ${now} and valid_until > ${now}
      and ${isUncounted(now)} and not ${isHeld}
  `.execute(db);
  return rows.map(({ organizationId }) => organizationId);
}
