import { givenFilterNames } from '../audit/given-filter-names.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import type { MessageStatus } from '../messages/message-status.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { countMessages, type Counts, type MessageCounts } from './count-messages.ts';
import { exportMessages } from './export-messages.ts';
import { findReportRange } from './get-analytics.ts';

export interface Export {
  fileName: string;
  /** The header comes first. */
  lines: AsyncIterable<string[]>;
}

const counts = [
  ...(['messages', 'segments'] as const),
  ...(['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'deliveryRate'] as const),
];
const times = ['medianDeliveryMs', 'p95DeliveryMs'] as const;

type ReportRows = {
  [Report in 'daily' | 'senders' | 'campaigns']: Nullable<MessageCounts[Report][number]>[];
};
type Nullable<Row> = { [Field in keyof Row]: Row[Field] | null };

/** The reports with counts; their columns have the names of the fields of GET /api/v1/analytics. */
const linesOf = {
  daily: ({ daily }: ReportRows) => toLines(['date', ...counts, ...times], daily),
  senders: ({ senders }: ReportRows) => toLines(['sender', ...counts, ...times], senders),
  campaigns: ({ campaigns }: ReportRows) => toLines(['campaignId', 'name', ...counts], campaigns),
};

/**
 * Creates a report as the lines of a CSV file. All checks run before the first line, and the audit log records every
 * export of messages. Errors: invalid_request.
 */
export async function exportAnalytics(
  database: Database,
  principal: Principal,
  query: Inputs['exportAnalytics']['query'],
  now: Date,
): Promise<Export> {
  const { report = 'messages', status } = query;
  const sender = query.sender === undefined ? undefined : normalizeSender(query.sender);
  const { range, lines } = await asTenant(database, principal, async (em) => {
    const days = await findReportRange(em, principal, query, now);
    if (report === 'messages') {
      recordAuditEvent(em, principal, {
        action: 'messages.exported',
        subjectId: principal.organizationId,
        details: {
          from: days.dates[0],
          to: days.dates.at(-1),
          filters: givenFilterNames({ status, sender }),
        },
      });
      return { range: days, lines: exportMessages(database, principal, days, { status, sender }) };
    }
    const counted = await countMessages(em, principal, days, sender);
    return {
      range: days,
      lines: linesOf[report](status === undefined ? counted : filterByStatus(counted, status)),
    };
  });
  return { fileName: `${report}-${range.dates[0]}-${range.dates.at(-1)}.csv`, lines };
}

/**
 * The counts of messages in one status. Segments are counted for all statuses together, so they are unknown for one
 * status; delivery times are those of delivered messages.
 */
function filterByStatus({ daily, senders, campaigns }: MessageCounts, status: MessageStatus): ReportRows {
  const noMessages = { queued: 0, accepted: 0, sent: 0, delivered: 0, failed: 0, cancelled: 0 };
  const noTimes = status === 'delivered' ? {} : { medianDeliveryMs: null, p95DeliveryMs: null };
  const only = <Row extends Counts>(row: Row) => ({
    ...row,
    ...noMessages,
    ...noTimes,
    [status]: row[status],
    messages: row[status],
    segments: null,
    deliveryRate: row[status] === 0 ? null : ({ delivered: 1, failed: 0 }[status as string] ?? null),
  });
  const ranked = <Row extends { messages: number }>(rows: Row[]) =>
    rows.filter(({ messages }) => messages > 0).toSorted((one, other) => other.messages - one.messages);
  return {
    daily: daily.map(only),
    senders: ranked(senders.map(only)),
    campaigns: ranked(campaigns.map(only)),
  };
}

async function* toLines<Column extends string>(
  columns: Column[],
  rows: Record<Column, string | number | null>[],
): AsyncIterable<string[]> {
  yield columns;
  for (const row of rows) yield columns.map((column) => String(row[column] ?? ''));
}
