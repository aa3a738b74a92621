import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract-types.ts';
import { readSender } from '../sender-ids/permitted-sender.ts';
import { holdSharedKeyword, withSharers } from './hold-shared-keyword.ts';
import { readKeyword, refuseSecondRule } from './keyword-input.ts';
import { keywordColumns, toKeywordRecord, type KeywordRecord } from './keyword-record.ts';

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
  return withSharers(database, organizationId, async (db, sharers) => {
    const replySender = await readSender(db, principal, sender);
    await holdSharedKeyword(db, sharers, { matchType, foldedKeyword, enabled });
    const { rows } = await sql<KeywordRecord>`
      insert into inbound_keywords (
        id, organization_id, keyword, folded_keyword, match_type, response, sender, enabled, created_at, updated_at
      ) values (
        ${uuidv7()}, ${organizationId}, ${keyword}, ${foldedKeyword}, ${matchType}, ${response}, ${replySender}, ${enabled},
        ${now}, ${now}
      )
      returning ${keywordColumns}
    `.execute(db);
    return toKeywordRecord(rows[0]!);
  }).catch(refuseSecondRule);
}
