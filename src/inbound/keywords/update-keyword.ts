import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../../principal.ts';
import type { Database } from '../../database.ts';
import { notFound } from '../../errors.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { readSender } from '../../sender-ids/permitted-sender.ts';
import { reserveSharedKeyword, withSharers } from './reserve-shared-keyword.ts';
import { InboundKeyword } from './inbound-keyword.entity.ts';
import { readKeyword, refuseSecondRule } from './check-keyword.ts';
import { toKeywordRecord, type KeywordRecord } from './keyword-record.ts';

/**
 * Changes a keyword rule. Omitted fields stay unchanged, and a sender of null removes the sender. Errors: not_found,
 * invalid_request, keyword_reserved, sender_not_approved, already_exists.
 */
export async function updateKeyword(
  database: Database,
  principal: Principal,
  id: string,
  input: Schemas['InboundKeywordChange'],
): Promise<KeywordRecord> {
  const { organizationId } = principal;
  return withSharers(database, organizationId, async (em, sharers) => {
    const db = em.getKysely<unknown>();
    const rule = await em.findOne(InboundKeyword, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!rule) throw notFound();
    const { keyword, response, matchType, sender: given, enabled } = { ...rule, ...input };
    const foldedKeyword = readKeyword(keyword);
    const sender = given === rule.sender ? given : await readSender(db, principal, given);
    await reserveSharedKeyword(db, sharers, { matchType, foldedKeyword, enabled });
    em.assign(rule, { keyword, foldedKeyword, matchType, response, sender, enabled, updatedAt: new Date() });
    await em.flush();
    return toKeywordRecord(rule);
  }).catch(refuseSecondRule);
}
