import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Sharer } from './find-sharers.ts';
import type { MatchType } from './match-keyword.ts';

/**
 * Sees to it that of the organizations that share a short code one has a keyword, for it decides whose a message is.
 * A disabled rule decides nothing and holds no keyword: it is asked when it is enabled.
 * Rules of those who share a code are stored one after the other: each finds what the one before it has stored.
 *
 * @param db a transaction that sees the organizations of the sharers
 * @throws ApiError already_exists, which does not say whose the other rule is
 */
export async function holdSharedKeyword(
  db: Sql,
  sharers: readonly Sharer[],
  rule: { matchType: MatchType; foldedKeyword: string; enabled: boolean },
): Promise<void> {
  if (!rule.enabled) return;
  const shortCodes = [...new Set(sharers.map(({ shortCode }) => shortCode))].toSorted();
  for (const shortCode of shortCodes) {
    const name = JSON.stringify(['inbound-keywords', shortCode]);
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
  }
  const { rows } = await sql<{ organizationId: string }>`
    select organization_id as "organizationId" from inbound_keywords
    where organization_id = any(${sharers.map(({ organizationId }) => organizationId)}::uuid[])
      and enabled and match_type = ${rule.matchType} and folded_keyword = ${rule.foldedKeyword}
  `.execute(db);
  const taken = sharers.find((sharer) => rows.some((row) => row.organizationId === sharer.organizationId));
  if (!taken) return;
  throw new ApiError(
    'already_exists',
    `On the short code ${taken.shortCode}, which several organizations share, this keyword is taken. Take another.`,
    {
      errors: [{ path: '/body/keyword', code: 'already_exists', message: 'is taken on a shared short code' }],
    },
  );
}
