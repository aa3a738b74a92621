import { sql, type RawBuilder } from 'kysely';
import { MAX, NIL } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import type { MessageFilters } from './message-filters.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { messageStatuses } from './message-status.ts';
import { Message } from './message.entity.ts';

/** Whose messages are listed, which of them, and how many at most. */
export interface MessageSelection {
  organizationId: string;
  sees: Principal['sees'];
  filters: MessageFilters;
  /** Only ids before this one: the last of the page before. */
  before: string | null;
  limit: number;
}

/** Lists the caller's messages, newest first. Its cost is that of the page, whatever is stored. */
export async function listMessages(
  database: Database,
  principal: Principal,
  filters: MessageFilters,
  page: { limit: number; before: string | null },
): Promise<CursorPage<MessageRecord>> {
  const { organizationId, sees } = principal;
  // A key that asks for the other environment sees nothing, and nothing cannot be selected from.
  if (sees.length === 0) return toCursorPage([], page.limit, toMessageRecord);
  const statement = selectMessages({ organizationId, sees, filters, ...page, limit: page.limit + 1 });
  const messages = await asTenant(database, principal, async (em) => {
    const { rows } = await statement.execute(em.getKysely());
    return rows.map((row) => em.map(Message, row));
  });
  return toCursorPage(messages, page.limit, (message) =>
    toMessageRecord({ ...message, organizationId: message.organization.id }),
  );
}

/**
 * The statement of a page, exported for the bench to explain.
 *
 * An index has ids in order only where all of its columns before the id are fixed. So whatever of these is not
 * given, be it environment or status, is taken value by value: each makes a range of one index, and of each
 * range no more than a page is read. The newest of what was found is the page.
 *
 * A range is a comparison of rows, to leave the planner no choice. From `status = 'sent' … order by id` it would
 * gather that any index with an id will do, the primary key above all, and walk through everyone's messages in
 * search of a status that nobody has. A range in the order of its own columns comes from its own index alone.
 * The organization is a subselect, to hide it: of one that was small when statistics were last made, the
 * planner would expect a single row, for which all indexes look alike. Where a recipient is given, the sender
 * is no plain column, for its index is not to be used as well: it may have millions of entries.
 */
export function selectMessages(selection: MessageSelection): RawBuilder<object> {
  const { organizationId, sees, filters, before, limit } = selection;
  const { status, to, from, createdFrom, createdBefore } = filters;
  const owner = to !== undefined ? { recipient: to } : from !== undefined ? { sender: from } : {};
  // The index without recipient and sender comes without the status too.
  const statuses = status !== undefined ? [status] : (to ?? from) ? messageStatuses : [undefined];
  const least = createdFrom ? lowestTimeOrderedId(createdFrom) : NIL;
  const end = [before?.toLowerCase(), createdBefore && lowestTimeOrderedId(createdBefore), MAX]
    .filter((id) => id !== undefined)
    .sort()[0]!;
  const ranges = sees.flatMap((environment) =>
    statuses.map((each) => {
      const fixed = { environment, ...owner, ...(each !== undefined && { status: each }) };
      const columns = [...Object.keys(fixed), 'id'];
      const row = (id: string) => sql`(${sql.join([...Object.values(fixed), id])})`;
      const key = sql`(${sql.join(columns.map((column) => sql.ref(column)))})`;
      const order = sql.join(columns.map((column) => sql`${sql.ref(column)} desc`));
      return sql`(
        select id from messages
        where organization_id = (select ${organizationId}::uuid) and ${key} >= ${row(least)} and ${key} < ${row(end)}
          ${to !== undefined && from !== undefined ? sql`and sender || '' = ${from}` : sql``}
        order by ${order} limit ${limit}
      )`;
    }),
  );
  return sql`
    select ${recordColumns}
    from (
      select id from (${sql.join(ranges, sql` union all `)}) found order by id desc limit ${limit}
    ) page join messages using (id)
    order by id desc
  `;
}

/** What a message's record is made of. */
const recordColumns = sql.raw(`
  id, organization_id, environment, sender, recipient, text, segments, status, provider_message_id, error_code,
  error_message, metadata, created_at, accepted_at, sent_at, delivered_at, failed_at
`);
