import { getCountries, getCountryCallingCode } from 'libphonenumber-js';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Inputs, Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { addCounts, countCodes, noCounts, type CodeCounts } from '../security-codes/count-codes.ts';
import { findReportRange } from './get-analytics.ts';

/** The longest report, in days: a quarter. Each of its codes is read once. */
const mostDays = 92;

/**
 * Counts the caller's security codes that were created from one day to another, in the organization's time zone. It
 * reads the codes of these days and no others. Errors: invalid_request.
 */
export async function getCodeAnalytics(
  database: Database,
  principal: Principal,
  query: Pick<Inputs['getSecurityCodeAnalytics']['query'], 'from' | 'to'>,
  now: Date,
): Promise<Schemas['SecurityCodeAnalytics']> {
  return asTenant(database, principal, async (em) => {
    const { dates, bounds, timezone } = await findReportRange(em, principal, query, now, mostDays);
    const { byDay, byPrefix } = await countCodes(em, principal, bounds, now);
    return {
      from: dates[0]!,
      to: dates.at(-1)!,
      timezone,
      totals: withRate([...byDay.values()].reduce(addCounts, noCounts)),
      daily: dates.map((date, index) => ({ date, counts: withRate(byDay.get(index) ?? noCounts) })),
      countries: countriesOf(byPrefix),
    };
  });
}

function withRate(counts: CodeCounts): Schemas['SecurityCodeCounts'] {
  const ended = counts.codes - counts.pending;
  return { ...counts, conversionRate: ended === 0 ? null : counts.verified / ended };
}

const callingCodes = new Set(getCountries().map((country): string => getCountryCallingCode(country)));

/** Adds up the counts of number prefixes by country calling code. No calling code is the beginning of another one. */
function countriesOf(byPrefix: Map<string, CodeCounts>): Schemas['SecurityCodeAnalytics']['countries'] {
  const countries = new Map<string | null, CodeCounts>();
  for (const [prefix, counts] of byPrefix) {
    const digits = prefix.replace('+', '');
    const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((each) => callingCodes.has(each));
    countries.set(code ?? null, addCounts(countries.get(code ?? null) ?? noCounts, counts));
  }
  return [...countries]
    .map(([callingCode, counts]) => ({ callingCode, counts: withRate(counts) }))
    .toSorted((one, other) => other.counts.codes - one.counts.codes);
}
