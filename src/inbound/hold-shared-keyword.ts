import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { ApiError } from '../errors.ts';
import { stayWithin } from '../organizations/organization-scope.ts';
import { findSharers, type Sharer } from './find-sharers.ts';
import type { MatchType } from './match-keyword.ts';

/**
 * Runs work that stores a rule of an organization, in one transaction behind the wall of those who share a short code
 * with it. They store rules one after the other, and beside approvals of such codes: each finds what the one before it
 * has stored (`lockShortCode`). The organization's own approvals wait too, or its codes could become more meanwhile.
 */
export async function withSharers<Result>(
  database: Database,
  organizationId: string,
  work: (db: Sql, sharers: Sharer[]) => Promise<Result>,
): Promise<Result> {
  return sqlOf(database)
    .transaction()
    .execute(async (db) => {
      await sql`select from organizations where id = ${organizationId} for share`.execute(db);
      const { rows: own } = await sql<{ shortCode: string }>`
        select value as "shortCode" from sender_ids
        where organization_id = ${organizationId} and status = 'approved' and value ~ '^[0-9]{3,8}$'
        order by value collate "C"
      `.execute(db);
      for (const { shortCode } of own) await lockShortCode(db, shortCode);
      const sharers = await findSharers(db, organizationId);
      await stayWithin(db, [organizationId, ...sharers.map((sharer) => sharer.organizationId)]);
      return work(db, sharers);
    });
}

/** Whoever holds it sees all rules of those who share the code, and nobody else comes to share it. */
async function lockShortCode(db: Sql, shortCode: string): Promise<void> {
  const name = JSON.stringify(['inbound-keywords', shortCode]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/**
 * Sees to it that of the organizations that share a short code one has a keyword, for it decides whose a message is.
 * A disabled rule decides nothing and holds no keyword: it is asked when it is enabled.
 *
 * @param db the transaction of `withSharers`
 * @throws ApiError already_exists, which does not say whose the other rule is
 */
export async function holdSharedKeyword(
  db: Sql,
  sharers: readonly Sharer[],
  rule: { matchType: MatchType; foldedKeyword: string; enabled: boolean },
): Promise<void> {
  if (!rule.enabled) return;
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

/** Keywords that a refusal names; whoever has more learns of the others once these are changed. */
const namedAtMost = 50;

/**
 * Sees to the same when an organization comes to share a short code: whoever has a keyword there keeps it, and the
 * newcomer is refused as long as it has the same one enabled. For administrators, who see across organizations.
 *
 * @param db the transaction of the approval, which holds the newcomer's row of `organizations`
 * @throws ApiError already_exists, which names the keywords and whose they are
 */
export async function refuseTakenKeywords(db: Sql, organizationId: string, shortCode: string): Promise<void> {
  await lockShortCode(db, shortCode);
  const { rows } = await sql<{ keyword: string; matchType: MatchType; ownerId: string; ownerName: string }>`
    select own.keyword, own.match_type as "matchType", owner.id as "ownerId", owner.name as "ownerName"
    from inbound_keywords own
    join inbound_keywords taken using (match_type, folded_keyword)
    join sender_ids on sender_ids.organization_id = taken.organization_id
      and sender_ids.value = ${shortCode} and sender_ids.status = 'approved'
    join organizations owner on owner.id = taken.organization_id
    where own.organization_id = ${organizationId} and own.enabled
      and taken.organization_id <> ${organizationId} and taken.enabled
    order by own.keyword, own.match_type, owner.id limit ${namedAtMost}
  `.execute(db);
  if (rows.length === 0) return;
  const keywords = [...new Set(rows.map(({ keyword }) => `“${keyword}”`))].join(', ');
  throw new ApiError(
    'already_exists',
    `The organization has rules for keywords that others have on the short code ${shortCode}: ${keywords}. ` +
      'Ask it to disable or change these rules and approve then, or reject the request with that as the reason.',
    {
      errors: rows.map(({ keyword, matchType, ownerId, ownerName }) => ({
        path: '/body/action',
        code: 'keyword_taken',
        message: `“${keyword}” (${matchType}) is a keyword of the organization ${ownerName} (${ownerId})`,
      })),
    },
  );
}
