import type { Sql } from '../database.ts';
import type { Owner } from '../sender-ids/find-owners.ts';
import type { Handled, HandledMessage } from './handled-message.ts';
import { findRules } from './keywords/find-rules.ts';
import { matchKeyword } from './keywords/match-keyword.ts';
import { storeReply } from './store-reply.ts';

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
  const organizationIds = owners.map(({ organizationId }) => organizationId);
  const rule = matchKeyword(message.text, await findRules(db, message.text, organizationIds));
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
