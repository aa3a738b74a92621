import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../principal.ts';
import type { Database } from '../../database.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { readSender } from '../../sender-ids/permitted-sender.ts';
import { reserveSharedKeyword, withSharers } from './reserve-shared-keyword.ts';
import { InboundKeyword } from './inbound-keyword.entity.ts';
import { readKeyword, refuseSecondRule } from './check-keyword.ts';
import { toKeywordRecord, type KeywordRecord } from './keyword-record.ts';

/**
 * Creates a keyword rule of the caller's organization. Errors: invalid_request, keyword_reserved, sender_not_approved,
 * already_exists.
 */
export async function createKeyword(
  database: Database,
  principal: Principal,
  { keyword, response, matchType = 'exact', sender = null, enabled = true }: Schemas['InboundKeywordInput'],
): Promise<KeywordRecord> {
  const { organizationId } = principal;
  const foldedKeyword = readKeyword(keyword);
  const now = new Date();
  return withSharers(database, organizationId, async (em, sharers) => {
    const db = em.getKysely<unknown>();
    const replySender = await readSender(db, principal, sender);
    await reserveSharedKeyword(db, sharers, { matchType, foldedKeyword, enabled });
    const rule = em.create(InboundKeyword, {
      id: uuidv7(),
      organization: organizationId,
      keyword,
      foldedKeyword,
      matchType,
      response,
      sender: replySender,
      enabled,
      createdAt: now,
      updatedAt: now,
    });
    await em.flush();
    return toKeywordRecord(rule);
  }).catch(refuseSecondRule);
}
