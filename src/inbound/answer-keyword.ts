import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { normalizeText } from './normalize-text.ts';
import type { Owner } from './find-owners.ts';
import type { Handled, HandledMessage } from './inbound-errors.ts';
import { matchKeyword, type MatchableRule } from './match-keyword.ts';
import { storeReply } from './store-reply.ts';

interface Rule extends MatchableRule {
  organizationId: string;
  response: string;
  sender: string | null;
}

/**
 * Answers a message by the rule that its text is for. Where several organizations share the number, the rule
 * decides whose the message is; without one it is the sole owner's, or nobody's.
 *
 * @param owners whose the number is that was texted, at least one
 */
export async function answerKeyword(
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
  // Someone can put that right; with the other reasons there is nothing to redrive.
  const isFailed = stored.errorCode === 'sender_not_approved';
  return {
    status: isFailed ? 'failed' : 'processed',
    matched: 'keyword',
    organizationId,
    keywordId,
    ...stored,
  };
}

/** Reads the rules that may match: whatever its type, a rule's keyword is somewhere in the text. */
async function findRules(db: Sql, text: string, owners: readonly Owner[]): Promise<Rule[]> {
  const { rows } = await sql<Omit<Rule, 'createdAt'> & { createdAt: string }>`
    select id, organization_id as "organizationId", match_type as "matchType", folded_keyword as "foldedKeyword",
      response, sender, created_at as "createdAt"
    from inbound_keywords
    where organization_id = any(${owners.map(({ organizationId }) => organizationId)}::uuid[]) and enabled
      and strpos(${normalizeText(text)}, folded_keyword) > 0
  `.execute(db);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}
