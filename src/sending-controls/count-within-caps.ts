import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { lockNames } from '../lock-name.ts';
import { createdAtOf } from '../organizations/created-at-of.ts';
import { recordset } from '../recordset.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import {
  capsOn,
  judgeByCaps,
  keyOfCount,
  type Cap,
  type CapVerdict,
  type CountedMessage,
  type SendingCaps,
} from './sending-caps.ts';
import { isNewOrganization } from './sending-conditions.ts';

/**
 * Locks the counts of organizations until the transaction ends: no other transaction counts messages of theirs
 * meanwhile, so a cap holds exactly, however many processes send. Organizations without caps are never locked.
 */
export async function lockCounts(db: Sql, organizationIds: string[]): Promise<void> {
  await lockNames(
    db,
    organizationIds.map((id) => ['sending-counts', id] as const),
  );
}

/**
 * Decides which live messages are within the caps of their organizations, in order, by what is counted now. It counts
 * nothing: whoever stores or admits the messages does so with `countUses`, in the transaction that has locked the
 * counts.
 */
export async function judgeMessages(db: Sql, messages: readonly CountedMessage[]): Promise<CapVerdict[]> {
  const caps = await readCaps(
    db,
    messages.map(({ organizationId }) => organizationId),
    new Date(Math.max(...messages.map(({ at }) => at.getTime()))),
  );
  const judged = messages.map((message) => ({
    organizationId: message.organizationId,
    caps: capsOn(message, caps.get(message.organizationId)!),
  }));
  return judgeByCaps(
    judged,
    await readUsed(
      db,
      judged.flatMap(({ organizationId, caps: some }) => some.map((cap) => ({ organizationId, ...cap }))),
    ),
  );
}

/**
 * Reads the caps that apply to organizations: each is the organization's own or, if it has none, that of the platform.
 *
 * @param at decides whether an organization is new
 */
export async function readCaps(
  db: Sql,
  organizationIds: readonly string[],
  at: Date,
): Promise<Map<string, SendingCaps>> {
  const { rows } = await sql<Stored<SendingCaps> & { id: string }>`
    select asked.id,
      coalesce(own.messages_per_hour, platform.messages_per_hour) as "messagesPerHour",
      coalesce(own.recipient_messages_per_hour, platform.recipient_messages_per_hour) as "recipientMessagesPerHour",
      coalesce(own.recipient_messages_per_day, platform.recipient_messages_per_day) as "recipientMessagesPerDay",
      coalesce(own.prefix_caps, platform.prefix_caps) as "prefixCaps",
      case when is_new then platform.new_organization_messages_per_day end as "newOrganizationMessagesPerDay",
      case when is_new then ${createdAtOf('asked.id')} + make_interval(days => platform.new_organization_days) end
        as "newUntil"
    from unnest(${[...new Set(organizationIds)]}::uuid[]) asked (id)
    cross join lateral (
      select ${isNewOrganization('asked.id', sql`${at}::timestamptz`)} as is_new
    ) judged
    left join sending_controls own on own.organization_id = asked.id
    left join sending_controls platform on platform.organization_id is null
  `.execute(db);
  return new Map(rows.map(({ id, newUntil, ...caps }) => [id, { ...caps, newUntil: toDate(newUntil) }]));
}

/** Reads how many messages count for caps. Those for which none counts are missing in the map. */
export async function readUsed(
  db: Sql,
  caps: readonly (Pick<Cap, 'scope' | 'windowStart'> & { organizationId: string })[],
): Promise<Map<string, number>> {
  const wanted = [...new Map(caps.map((cap) => [keyOfCount(cap.organizationId, cap), cap])).values()];
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ organizationId: string; scope: string; windowStart: string; used: number }>`
    select organization_id as "organizationId", scope, window_start as "windowStart", used
    from sending_counts counted
    join ${recordset(wanted, 'cap', { organizationId: 'uuid', scope: 'text', windowStart: 'timestamptz' })}
      using (scope)
    where counted.organization_id = cap."organizationId" and counted.window_start = cap."windowStart"
  `.execute(db);
  return new Map(
    rows.map(({ organizationId, scope, windowStart, used }) => [
      keyOfCount(organizationId, { scope, windowStart: toDate(windowStart) }),
      used,
    ]),
  );
}

/**
 * The statement, for a CTE, that counts messages. It runs in a transaction that has locked the counts.
 *
 * @param messages a query for `organization_id` and `caps`, the caps that the message counts for as JSON
 */
export function countUses(messages: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into sending_counts as counted (organization_id, scope, window_start, window_end, used)
    select organization_id, cap.scope, cap."windowStart", cap."windowEnd", count(*)
    from (${messages}) message
    cross join lateral json_to_recordset(message.caps)
      as cap (scope text, "windowStart" timestamptz, "windowEnd" timestamptz)
    group by 1, 2, 3, 4 order by 1, 2, 3
    on conflict (organization_id, scope, window_start) do update set used = counted.used + excluded.used
  `;
}
