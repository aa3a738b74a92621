import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { selectMessages } from '../messages/list-messages.ts';
import type { MessageStatus } from '../messages/message-status.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toIsoTime } from '../stored-rows.ts';
import type { ReportRange } from './report-range.ts';

const rowsPerPage = 1000;

/**
 * A message's id contains the time of its creation. The ids of messages that redrives create are an exception: they
 * are those of their page, up to seconds away from that time. Therefore ids are searched in a wider range, and the
 * creation time decides.
 */
const idSlackMs = 60_000;

const columns = [
  ...['id', 'environment', 'from', 'to', 'status', 'text', 'segments', 'errorCode', 'errorMessage'],
  ...['providerMessageId', 'metadata', 'createdAt', 'acceptedAt', 'sentAt', 'deliveredAt', 'failedAt'],
];

/**
 * Returns the lines of the CSV file of the messages that were created in a range, newest message first; the header
 * comes first.
 *
 * Messages are read page by page. Each page is a transaction of its own, which begins once the reader has consumed
 * the page before. So memory is limited to one page, and a slow or disconnected reader holds neither a connection nor
 * a snapshot, which would keep the database from vacuuming. Each message appears once, as it is when it is read.
 */
export async function* exportMessages(
  database: Database,
  principal: Principal,
  { bounds }: ReportRange,
  { status, sender }: { status?: MessageStatus; sender?: string },
): AsyncGenerator<string[]> {
  yield columns;
  const { organizationId, visibleEnvironments } = principal;
  // A key that requests the other environment sees nothing, and the query below needs at least one environment.
  if (visibleEnvironments.length === 0) return;
  const [first, end] = [bounds[0]!.getTime(), bounds.at(-1)!.getTime()];
  const filters = {
    ...(status !== undefined && { status }),
    ...(sender !== undefined && { from: sender }),
    createdFrom: new Date(first - idSlackMs),
    createdBefore: new Date(end + idSlackMs),
  };
  for (let before: string | null = null; ;) {
    const statement = selectMessages({
      organizationId,
      visibleEnvironments,
      filters,
      before,
      limit: rowsPerPage,
    });
    const rows = await asTenant(database, principal, async (em) => {
      const { rows: page } = await statement.execute(em.getKysely());
      return page as MessageRow[];
    });
    for (const row of rows) {
      const createdAt = Date.parse(row.created_at);
      if (createdAt >= first && createdAt < end) yield toLine(row);
    }
    if (rows.length < rowsPerPage) return;
    before = rows.at(-1)!.id;
  }
}

/** A row as the driver returns it: times are in PostgreSQL's text format. */
interface MessageRow {
  id: string;
  environment: string;
  sender: string;
  recipient: string;
  status: string;
  text: string;
  segments: number;
  error_code: string | null;
  error_message: string | null;
  provider_message_id: string | null;
  metadata: object;
  created_at: string;
  accepted_at: string | null;
  sent_at: string | null;
  delivered_at: string | null;
  failed_at: string | null;
}

function toLine(row: MessageRow): string[] {
  const { created_at, accepted_at, sent_at, delivered_at, failed_at } = row;
  return [
    ...[row.id, row.environment, row.sender, row.recipient, row.status, row.text, String(row.segments)],
    ...[row.error_code ?? '', row.error_message ?? '', row.provider_message_id ?? ''],
    JSON.stringify(row.metadata),
    ...[created_at, accepted_at, sent_at, delivered_at, failed_at].map((at) => toIsoTime(at) ?? ''),
  ];
}
