import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { normalizeText } from './keywords/normalize-text.ts';
import type { Owner } from '../sender-ids/find-owners.ts';
import type { Handled, HandledMessage } from './handled-message.ts';
import { matchKeyword, type MatchableRule } from './keywords/match-keyword.ts';
import { storeReply } from './store-reply.ts';

interface Rule extends MatchableRule {
  organizationId: string;
  response: string;
  sender: string | null;
}

/**
 * Replies to a message by the keyword rule that its text matches. If several organizations share the number, the rule
 * decides which organization the message belongs to. If no rule matches, the message belongs to the sole owner, or to
 * no organization.
 *
 * @param owners the organizations that own the recipient number, at least one
 */
export async function replyToKeyword(
  db: Sql,
  message: HandledMessage,
  owners: readonly Owner[],
  now: Date,
): Promise<Handled> {
  const rule = matchKeyword(message.text, await findRules(db, message.text, owners));
  if (!rule) {
    const organizationId = owners.length === 1 ? owners[0]!.organizationId : message.organizationId;
    return {
      status: 'unmatched',
      matched: null,
      organizationId,
      keywordId: null,
      errorCode: null,
      reply: null,
    };
  }
  const { id: keywordId, organizationId, response: text } = rule;
  const owner = owners.find((one) => one.organizationId === organizationId)!;
  const sender = rule.sender ?? owner.sender;
  const reply = { organizationId, sender, text, keywordId, confirmsOptOut: false };
  const stored = await storeReply(db, message, reply, now);
  // People can correct this cause. With the other reasons there is nothing to redrive.
  const isFailed = stored.errorCode === 'sender_not_approved';
  return {
    status: isFailed ? 'failed' : 'processed',
    matched: 'keyword',
    organizationId,
    keywordId,
    ...stored,
  };
}

/** Reads the rules that may match: for every match type, the text contains the keyword. */
async function findRules(db: Sql, text: string, owners: readonly Owner[]): Promise<Rule[]> {
  const { rows } = await sql<Stored<Rule>>`
    select id, organization_id as "organizationId", match_type as "matchType", folded_keyword as "foldedKeyword",
      response, sender, created_at as "createdAt"
    from inbound_keywords
    where organization_id = any(${owners.map(({ organizationId }) => organizationId)}::uuid[]) and enabled
      and strpos(${normalizeText(text)}, folded_keyword) > 0
  `.execute(db);
  return rows.map((row) => ({ ...row, createdAt: toDate(row.createdAt) }));
}
