import { sql } from 'kysely';
import type { Database, Sql } from '../../database.ts';
import { ApiError } from '../../errors.ts';
import { stayWithin, type ScopedEntityManager } from '../../organizations/organization-scope.ts';
import { findSharers, findShortCodes, type Sharer } from '../../sender-ids/find-sharers.ts';
import { isApprovedSender } from '../../sender-ids/permitted-sender.ts';
import { lockName } from '../../lock-name.ts';
import type { MatchType } from './match-keyword.ts';

/**
 * Runs work that stores a rule of an organization, in one transaction that can see only this organization and those
 * that share a short code with it. They store rules, and approvals of these codes are made, one after the other: each
 * sees what the previous one has stored (`lockShortCode`). The organization's own approvals wait too; otherwise it
 * could get more short codes meanwhile.
 */
export async function withSharers<Result>(
  database: Database,
  organizationId: string,
  work: (em: ScopedEntityManager, sharers: Sharer[]) => Promise<Result>,
): Promise<Result> {
  const em = database.em.fork();
  em.setFilterParams('organization', { id: organizationId });
  return em.transactional(async (scoped) => {
    const db = scoped.getKysely<unknown>();
    await sql`select from organizations where id = ${organizationId} for share`.execute(db);
    for (const shortCode of await findShortCodes(db, organizationId)) await lockShortCode(db, shortCode);
    const sharers = await findSharers(db, organizationId);
    await stayWithin(db, [organizationId, ...sharers.map((sharer) => sharer.organizationId)]);
    return work(scoped as ScopedEntityManager, sharers);
  });
}

/** Locks a short code. The holder of the lock sees all rules on the code, and no other organization can join it. */
async function lockShortCode(db: Sql, shortCode: string): Promise<void> {
  await lockName(db, ['inbound-keywords', shortCode]);
}

/**
 * Ensures that only one of the organizations that share a short code has a keyword, because the keyword decides which
 * organization a message belongs to. A disabled rule does not reserve its keyword: the check runs when it is enabled.
 *
 * @param db the transaction of `withSharers`
 * @throws ApiError already_exists, which does not name the owner of the other rule
 */
export async function reserveSharedKeyword(
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
    `On the short code ${taken.shortCode}, which several organizations share, this keyword is already used. Choose another.`,
    {
      errors: [
        { path: '/body/keyword', code: 'already_exists', message: 'is already used on a shared short code' },
      ],
    },
  );
}

/** The maximum number of keywords that a refusal names. Further ones appear after these are changed. */
const namedAtMost = 50;

/**
 * Makes the same check when an organization starts to share a short code. Existing owners of a keyword keep it. The new
 * organization is refused as long as it has the same keyword enabled. For administrators, who see all organizations.
 *
 * @param db the transaction of the approval, which holds the new organization's row of `organizations`
 * @throws ApiError already_exists, which names the keywords and their owners
 */
export async function refuseTakenKeywords(db: Sql, organizationId: string, shortCode: string): Promise<void> {
  await lockShortCode(db, shortCode);
  const { rows } = await sql<{ keyword: string; matchType: MatchType; ownerId: string; ownerName: string }>`
    select own.keyword, own.match_type as "matchType", owner.id as "ownerId", owner.name as "ownerName"
    from inbound_keywords own
    join inbound_keywords taken using (match_type, folded_keyword)
    join sender_ids on sender_ids.organization_id = taken.organization_id
      and sender_ids.value = ${shortCode} and ${isApprovedSender('sender_ids')}
    join organizations owner on owner.id = taken.organization_id
    where own.organization_id = ${organizationId} and own.enabled
      and taken.organization_id <> ${organizationId} and taken.enabled
    order by own.keyword, own.match_type, owner.id limit ${namedAtMost}
  `.execute(db);
  if (rows.length === 0) return;
  const keywords = [...new Set(rows.map(({ keyword }) => `“${keyword}”`))].join(', ');
  throw new ApiError(
    'already_exists',
    `The organization has rules for keywords that other organizations use on the short code ${shortCode}: ${keywords}. ` +
      'Ask it to disable or change these rules and then approve, or reject the request for this reason.',
    {
      errors: rows.map(({ keyword, matchType, ownerId, ownerName }) => ({
        path: '/body/action',
        code: 'keyword_taken',
        message: `“${keyword}” (${matchType}) is a keyword of the organization ${ownerName} (${ownerId})`,
      })),
    },
  );
}
