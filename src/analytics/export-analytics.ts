import { neutraliseCell } from '../contacts/csv-cells.ts';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { MessageStatus } from '../messages/message-status.ts';
import { withinOrganization } from '../organizations/organization-scope.ts';
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
  /** The header first; cells are safe in spreadsheets. */
  lines: AsyncIterable<string[]>;
}

const counts = [
  'messages',
  'segments',
  'queued',
  'accepted',
  'sent',
  'delivered',
  'failed',
  'cancelled',
  'deliveryRate',
];
const times = ['medianDeliveryMs', 'p95DeliveryMs'];

/** What each report that counts has in its columns: the names of the fields in GET /api/v1/analytics. */
const columnsOf = {
  daily: ['date', ...counts, ...times],
  senders: ['sender', ...counts, ...times],
  campaigns: ['campaignId', 'name', ...counts],
};

/**
 * Makes a report as the lines of a CSV file. What can be refused is refused before the first line. Errors:
 * invalid_request.
 */
export async function exportAnalytics(
  database: Database,
  principal: Principal,
  query: ExportQuery,
  now: Date,
): Promise<Export> {
  const { report = 'messages', status, sender } = query;
  if (status !== undefined && report !== 'messages') {
    throw new ApiError('invalid_request', `The report \`${report}\` has a column for each status.`, {
      errors: [
        { path: '/query/status', code: 'not_allowed', message: 'may be given with the report messages only' },
      ],
    });
  }
  const { range, counted } = await withinOrganization(database, principal, async (em) => {
    const found = await findReportRange(em, principal, query, now);
    return {
      range: found,
      counted: report === 'messages' ? null : (await countMessages(em, principal, found, sender))[report],
    };
  });
  return {
    fileName: `${report}-${range.dates[0]}-${range.dates.at(-1)}.csv`,
    lines:
      report === 'messages'
        ? exportMessages(database, principal, range, { status, sender })
        : toLines(columnsOf[report], counted ?? []),
  };
}

async function* toLines(
  columns: string[],
  rows: MessageCounts[keyof typeof columnsOf],
): AsyncIterable<string[]> {
  yield columns;
  for (const row of rows) {
    yield columns.map((column) =>
      neutraliseCell(String((row as unknown as Record<string, unknown>)[column] ?? '')),
    );
  }
}
