import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { findOrganizationTimezone } from '../organizations/timezone.ts';
import { countMessages } from './count-messages.ts';
import { readReportRange, type ReportRange, type RequestedDays } from './report-range.ts';

/** The maximum number of senders and of campaigns in an overview; the exports contain all of them. */
const maxLines = 100;

/**
 * Counts the caller's messages that were created from one day to another, in the organization's time zone. It runs
 * two queries, whatever the length of the range and the number of messages. Errors: invalid_request.
 */
export async function getAnalytics(
  database: Database,
  principal: Principal,
  query: RequestedDays,
  now: Date,
): Promise<Schemas['Analytics']> {
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

/** The days that a query requests, in the organization's time zone. Errors: invalid_request. */
export async function findReportRange(
  em: ScopedEntityManager,
  { organizationId }: Pick<Principal, 'organizationId'>,
  query: RequestedDays,
  now: Date,
  mostDays?: number,
): Promise<ReportRange> {
  return readReportRange(query, await findOrganizationTimezone(em, organizationId), now, mostDays);
}
