import { sql } from 'kysely';
import { workflowIdOf } from '../../../workflows/contract.ts';
import type { Principal } from '../../principal.ts';
import type { Database } from '../../database.ts';
import { findStartedWorkflows } from '../../dispatches/find-started.ts';
import { notFound } from '../../errors.ts';
import { cursorError, decodeCursor, encodeCursor, readLimit } from '../../http/cursor.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import { Message } from '../message.entity.ts';
import { toTimelineEntry, type StoredEntry, type TimelineEntry } from './timeline-entry.ts';

export type Timeline = Omit<Schemas['MessageTimeline'], 'data'> & { data: TimelineEntry[] };

/** The position of an entry: its time, its table, and its place in that table. None of these ever changes. */
type Position = [at: string, source: number, major: string, minor: number];

/**
 * Returns the history of a message, oldest first. Two statements read the rows of the message, and one reads which
 * workflows were started. Errors: not_found, both for an unknown id and for another caller's message; invalid_request
 * for the cursor of another list.
 */
export async function getTimeline(
  database: Database,
  principal: Principal,
  messageId: string,
  query: { list: string; limit?: unknown; cursor?: unknown },
): Promise<Timeline> {
  const limit = readLimit(query.limit);
  const after = query.cursor === undefined ? null : readPosition(decodeCursor(query.list, query.cursor));
  const { message, rows } = await asTenant(database, principal, async (em) => {
    const found = await em.findOne(Message, { id: messageId }, { fields: ['status', 'dispatchId'] });
    if (!found) throw notFound();
    const entries = await selectEntries(messageId, after, limit + 1).execute(em.getKysely());
    return { message: found, rows: entries.rows };
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const started = await findStartedWorkflows(database, [
    ...new Set([message.dispatchId, ...page.map(({ details }) => details['dispatchId'])].filter(isId)),
  ]);
  const workflowId = message.dispatchId && workflowIdOf('messages', message.dispatchId);
  return {
    messageId: message.id,
    status: message.status,
    workflowId: workflowId && started.has(workflowId) ? workflowId : null,
    data: page.map((entry) => toTimelineEntry(entry, started)),
    pagination: {
      limit,
      nextCursor: rows.length > limit && last ? encodeCursor(query.list, positionOf(last)) : null,
    },
  };
}

/**
 * A webhook has two kinds of entries, so that an event that waits or was never attempted is visible too. `source`
 * orders entries of the same millisecond: what happened to the message comes before its webhook events.
 */
function selectEntries(messageId: string, after: Position | null, limit: number) {
  const [at, source, major, minor] = after ?? ['-infinity', 0, '0', 0];
  return sql<StoredEntry & { source: number; major: string; minor: number }>`
    with entry as (
      select at, 0 as source, id as major, 0 as minor, kind, status, details
      from message_events where message_id = ${messageId}
      union all
      select created_at, 1, position, 0, 'webhook_created', null, jsonb_build_object(
        'deliveryId', id, 'event', event, 'url', url, 'dispatchId', dispatch_id,
        'deliveryStatus', status, 'nextAttemptAt', due_at
      )
      from webhook_deliveries where message_id = ${messageId}
      union all
      select started_at, 2, position, number, 'webhook_attempted', null, jsonb_build_object(
        'deliveryId', id, 'event', event, 'url', url, 'dispatchId', dispatch_id,
        'attempt', number, 'durationMs', duration_ms, 'responseStatus', response_status, 'error', error
      )
      from webhook_deliveries join webhook_attempts on delivery_id = webhook_deliveries.id
      where message_id = ${messageId}
    )
    select at, source, major::text as major, minor, kind, status, details from entry
    where (at, source, major, minor) > (
      ${at}::timestamptz, ${source}::integer, ${major}::bigint, ${minor}::integer
    )
    order by at, source, entry.major, minor limit ${limit}
  `;
}

const isId = (value: unknown): value is string => typeof value === 'string';

function positionOf(entry: { at: string; source: number; major: string; minor: number }): string {
  const position: Position = [new Date(entry.at).toISOString(), entry.source, entry.major, entry.minor];
  return position.join(' ');
}

function readPosition(text: string): Position {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-2]) (\d{1,18}) (\d{1,5})$/.exec(text);
  if (!parts || Number.isNaN(Date.parse(parts[1]!))) throw cursorError();
  return [parts[1]!, Number(parts[2]), parts[3]!, Number(parts[4])];
}
