import { sql, type RawBuilder } from 'kysely';
import type { Principal } from '../principal.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';

/** The number of codes, and of what became of them. */
export interface CodeCounts {
  codes: number;
  delivered: number;
  verified: number;
  expired: number;
  blocked: number;
  superseded: number;
  pending: number;
}

const countNames = ['codes', 'delivered', 'verified', 'expired', 'blocked', 'superseded', 'pending'] as const;

export const noCounts: CodeCounts = {
  ...{ codes: 0, delivered: 0, verified: 0, expired: 0, blocked: 0, superseded: 0, pending: 0 },
};

export function addCounts(one: CodeCounts, other: CodeCounts): CodeCounts {
  const sum = { ...one };
  for (const name of countNames) sum[name] += other[name];
  return sum;
}

/**
 * Counts the codes of an organization that were created between the first bound and the last one, in one statement.
 *
 * @param bounds the starts of the days, and the end of the last one
 * @returns the counts by the position of the day, and by the first four characters of the recipient: `+251`
 */
export async function countCodes(
  em: ScopedEntityManager,
  owner: CodeOwner,
  bounds: readonly Date[],
  now: Date,
): Promise<{ byDay: Map<number, CodeCounts>; byPrefix: Map<string, CodeCounts> }> {
  const { rows } = await selectCounts(owner, bounds, now).execute(em.getKysely());
  const byDay = new Map<number, CodeCounts>();
  const byPrefix = new Map<string, CodeCounts>();
  for (const { day, prefix, ...counts } of rows) {
    if (day !== null) byDay.set(day, counts);
    else if (prefix !== null) byPrefix.set(prefix, counts);
  }
  return { byDay, byPrefix };
}

type CodeOwner = Pick<Principal, 'organizationId' | 'visibleEnvironments'>;

/** Returns the statement: it reads the index of the days, and the message of each code. */
export function selectCounts(
  { organizationId, visibleEnvironments }: CodeOwner,
  bounds: readonly Date[],
  now: Date,
): RawBuilder<CodeCounts & { day: number | null; prefix: string | null }> {
  return sql`
    select day, prefix, count(*)::int as codes,
      count(*) filter (where delivered)::int as delivered,
      count(*) filter (where status = 'verified')::int as verified,
      -- A worker records an expiry a moment after it.
      count(*) filter (where status = 'expired' or (status = 'pending' and expires_at <= ${now}))::int as expired,
      count(*) filter (where status = 'max_attempts_reached')::int as blocked,
      count(*) filter (where status = 'superseded')::int as superseded,
      count(*) filter (where status = 'pending' and expires_at > ${now})::int as pending
    from (
      select code.status, code.expires_at, messages.status = 'delivered' as delivered,
        width_bucket(code.created_at, ${bounds.map((bound) => bound.toISOString())}::timestamptz[]) - 1 as day,
        left(code.recipient, 4) as prefix
      from unnest(${[...visibleEnvironments]}::text[]) as visible(environment)
      cross join lateral (
        select * from security_codes
        where organization_id = ${organizationId} and security_codes.environment = visible.environment
          and created_at >= ${bounds[0]!}::timestamptz and created_at < ${bounds.at(-1)!}::timestamptz
      ) code
      left join messages on messages.id = code.message_id
    ) code
    group by grouping sets ((day), (prefix))
  `;
}
