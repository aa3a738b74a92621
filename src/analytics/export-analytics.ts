import { namesOfGiven } from '../audit/names-of-given.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { MessageStatus } from '../messages/message-status.ts';
import { withinOrganization } from '../organizations/organization-scope.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { countMessages, type MessageCounts } from './count-messages.ts';
import { exportMessages } from './export-messages.ts';
import { findReportRange } from './get-analytics.ts';

/** The query of GET /api/v1/analytics/export, already held against openapi.yaml. */
export interface ExportQuery {
  from?: string;
  to?: string;
  report?: 'messages' | 'daily' | 'senders' | 'campaigns';
  status?: MessageStatus;
  sender?: string;
}

export interface Export {
  fileName: string;
  /** The header first. */
  lines: AsyncIterable<string[]>;
}

const counts = [
  ...(['messages', 'segments'] as const),
  ...(['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled', 'deliveryRate'] as const),
];
const times = ['medianDeliveryMs', 'p95DeliveryMs'] as const;

/** The reports that count, in columns that are called as the fields of GET /api/v1/analytics. */
const linesOf = {
  daily: ({ daily }: MessageCounts) => toLines(['date', ...counts, ...times], daily),
  senders: ({ senders }: MessageCounts) => toLines(['sender', ...counts, ...times], senders),
  campaigns: ({ campaigns }: MessageCounts) => toLines(['campaignId', 'name', ...counts], campaigns),
};

/**
 * Makes a report as the lines of a CSV file. What can be refused is refused before the first line, and messages that
 * leave are told of by the audit log. Errors: invalid_request.
 */
export async function exportAnalytics(
  database: Database,
  principal: Principal,
  query: ExportQuery,
  now: Date,
): Promise<Export> {
  const { report = 'messages', status } = query;
  const sender = query.sender === undefined ? undefined : normalizeSender(query.sender);
  if (status !== undefined && report !== 'messages') {
    throw new ApiError('invalid_request', `The report \`${report}\` has a column for each status.`, {
      errors: [
        { path: '/query/status', code: 'not_allowed', message: 'may be given with the report messages only' },
      ],
    });
  }
  const { range, lines } = await withinOrganization(database, principal, async (em) => {
    const days = await findReportRange(em, principal, query, now);
    if (report === 'messages') {
      recordAuditEvent(em, principal, {
        ...{ action: 'messages.exported', subjectId: principal.organizationId },
        details: { from: days.dates[0], to: days.dates.at(-1), filters: namesOfGiven({ status, sender }) },
      });
      return { range: days, lines: exportMessages(database, principal, days, { status, sender }) };
    }
    return { range: days, lines: linesOf[report](await countMessages(em, principal, days, sender)) };
  });
  return { fileName: `${report}-${range.dates[0]}-${range.dates.at(-1)}.csv`, lines };
}

async function* toLines<Column extends string>(
  columns: Column[],
  rows: Record<Column, string | number | null>[],
): AsyncIterable<string[]> {
  yield columns;
  for (const row of rows) yield columns.map((column) => String(row[column] ?? ''));
}
