import { sql, type RawBuilder } from 'kysely';
import { MAX, NIL } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import type { MessageFilters } from './message-filters.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { messageStatuses } from './message-status.ts';
import { Message } from './message.entity.ts';

/** The owner of the listed messages, the filters, and the page size. */
export interface MessageSelection {
  organizationId: string;
  visibleEnvironments: Principal['visibleEnvironments'];
  filters: MessageFilters;
  /** Only ids lower than this one: the last id of the previous page. */
  before: string | null;
  limit: number;
}

/**
 * Returns the caller's messages, newest first. The cost depends on the page size, not on the number of stored messages.
 */
export async function listMessages(
  database: Database,
  principal: Principal,
  filters: MessageFilters,
  page: CursorQuery,
): Promise<CursorPage<MessageRecord>> {
  const { organizationId, visibleEnvironments } = principal;
  // A key that requests the other environment sees no messages, and the query needs at least one range.
  if (visibleEnvironments.length === 0) return toCursorPage([], page, toMessageRecord);
  const statement = selectMessages({
    organizationId,
    visibleEnvironments,
    filters,
    ...page,
    limit: page.limit + 1,
  });
  const messages = await asTenant(database, principal, async (em) => {
    const { rows } = await statement.execute(em.getKysely());
    return rows.map((row) => em.map(Message, row));
  });
  return toCursorPage(messages, page, (message) =>
    toMessageRecord({ ...message, organizationId: message.organization.id }),
  );
}

/**
 * Returns the statement for a page. It is exported so that the benchmark can explain it.
 *
 * An index returns ids in order only if all columns before the id are fixed. If a filter on such a column (environment
 * or status) is missing, the statement reads each value of the column separately. Each value is a range of one index,
 * and at most one page is read from each range. The page is the newest rows of all ranges.
 *
 * A range is a row comparison, which leaves the planner no choice of index. For `status = 'sent' … order by id` the
 * planner may decide that any index with an id is suitable, such as the primary key, and scan the messages of all
 * organizations for a status that none of them has. A range in the column order of an index can use only that index.
 * The organization is a subselect, which hides its value from the planner. If the organization was small when
 * statistics were last collected, the planner expects a single row, and then all indexes cost the same. If a recipient
 * is given, the sender is an expression and not a plain column, so that its index, which may have millions of entries,
 * is not used as well.
 */
export function selectMessages(selection: MessageSelection): RawBuilder<object> {
  const { organizationId, visibleEnvironments, filters, before, limit } = selection;
  const { status, to, from, createdFrom, createdBefore } = filters;
  const owner = to !== undefined ? { recipient: to } : from !== undefined ? { sender: from } : {};
  // The index without recipient and sender has no status column either.
  const statuses = status !== undefined ? [status] : (to ?? from) ? messageStatuses : [undefined];
  const least = createdFrom ? lowestTimeOrderedId(createdFrom) : NIL;
  const end = [before?.toLowerCase(), createdBefore && lowestTimeOrderedId(createdBefore), MAX]
    .filter((id) => id !== undefined)
    .sort()[0]!;
  const ranges = visibleEnvironments.flatMap((environment) =>
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

/** The columns of a message record. */
const recordColumns = sql.raw(`
  id, organization_id, environment, sender, recipient, text, segments, status, provider_message_id, error_code,
  error_message, metadata, created_at, accepted_at, sent_at, delivered_at, failed_at
`);
