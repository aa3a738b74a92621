import type { Principal } from '../../principal.ts';
import type { Database } from '../../database.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { asTenant } from '../../organizations/organization-scope.ts';
import { findRules } from './find-rules.ts';
import { InboundKeyword } from './inbound-keyword.entity.ts';
import { toKeywordRecord } from './keyword-record.ts';
import { matchKeyword } from './match-keyword.ts';
import { readOptOut } from './opt-out-words.ts';

/**
 * Returns what an inbound message with this text would match, by the functions that handle inbound messages: the words
 * that end and resume sending come before the rules of the organization.
 */
export async function testKeywords(
  database: Database,
  principal: Principal,
  text: string,
): Promise<Schemas['InboundKeywordMatch']> {
  const optOut = readOptOut(text);
  if (optOut) return { matched: optOut.request, rule: null, reply: optOut.confirmation };
  return asTenant(database, principal, async (em) => {
    const rule = matchKeyword(text, await findRules(em.getKysely(), text, [principal.organizationId]));
    // A rule that was deleted since then matches nothing.
    const stored = rule && (await em.findOne(InboundKeyword, { id: rule.id }));
    if (!stored) return { matched: null, rule: null, reply: null };
    return { matched: 'keyword', rule: toKeywordRecord(stored), reply: stored.response };
  });
}
