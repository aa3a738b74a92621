import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { findOrganizationTimezone } from '../organizations/timezone.ts';
import { countMessages, type MessageCounts } from './count-messages.ts';
import { readReportRange, type ReportRange } from './report-range.ts';

/** Senders and campaigns of an overview at most; the exports have them all. */
const maxLines = 100;

/** The answer of GET /api/v1/analytics. */
export interface Analytics extends MessageCounts {
  from: string;
  to: string;
  timezone: string;
}

/**
 * Counts the caller's messages that were created from one day to another, in the organization's time zone. It reads
 * twice, however long the range is and however many messages there are. Errors: invalid_request.
 */
export async function getAnalytics(
  database: Database,
  principal: Principal,
  query: { from?: string; to?: string },
  now: Date,
): Promise<Analytics> {
  return asTenant(database, principal, async (em) => {
    const range = await findReportRange(em, principal, query, now);
    const { totals, daily, senders, campaigns, errorCodes } = await countMessages(em, principal, range);
    return {
      from: range.dates[0]!,
      to: range.dates.at(-1)!,
      timezone: range.timezone,
      totals,
      daily,
      senders: senders.slice(0, maxLines),
      campaigns: campaigns.slice(0, maxLines),
      errorCodes,
    };
  });
}

/** The days that a query asks for, in the organization's time zone. Errors: invalid_request. */
export async function findReportRange(
  em: ScopedEntityManager,
  { organizationId }: Pick<Principal, 'organizationId'>,
  query: { from?: string; to?: string },
  now: Date,
): Promise<ReportRange> {
  return readReportRange(query, await findOrganizationTimezone(em, organizationId), now);
}
