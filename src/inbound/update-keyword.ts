import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { readSender } from '../sender-ids/permitted-sender.ts';
import { holdSharedKeyword, withSharers } from './hold-shared-keyword.ts';
import { readKeyword, refuseSecondRule, type KeywordInput } from './keyword-input.ts';
import { keywordColumns, toKeywordRecord, type KeywordRecord } from './keyword-record.ts';

/**
 * Changes a keyword rule. Omitted fields stay unchanged, and a sender of null removes the sender. Errors: not_found,
 * invalid_request, keyword_reserved, sender_not_approved, already_exists.
 */
export async function updateKeyword(
  database: Database,
  principal: Principal,
  id: string,
  input: Partial<KeywordInput>,
): Promise<KeywordRecord> {
  const { organizationId } = principal;
  return withSharers(database, organizationId, async (db, sharers) => {
    const { rows: found } = await sql<KeywordRecord>`
      select ${keywordColumns} from inbound_keywords
      where id = ${id} and organization_id = ${organizationId} for no key update
    `.execute(db);
    const before = found[0];
    if (!before) throw notFound();
    const { keyword, response, matchType, sender: given, enabled } = { ...before, ...input };
    const foldedKeyword = readKeyword(keyword);
    const sender = given === before.sender ? given : await readSender(db, principal, given);
    await holdSharedKeyword(db, sharers, { matchType, foldedKeyword, enabled });
    const { rows } = await sql<KeywordRecord>`
      update inbound_keywords set
        keyword = ${keyword}, folded_keyword = ${foldedKeyword}, match_type = ${matchType}, response = ${response},
        sender = ${sender}, enabled = ${enabled}, updated_at = ${new Date()}
      where id = ${id} and organization_id = ${organizationId}
      returning ${keywordColumns}
    `.execute(db);
    return toKeywordRecord(rows[0]!);
  }).catch(refuseSecondRule);
}
