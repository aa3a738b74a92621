import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { draftMessage } from '../messages/draft-message.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { storeMessages } from '../messages/store-messages.ts';
import { testSender, type SenderOwner } from '../sender-ids/permitted-sender.ts';
import type { Handled, HandledMessage, Reason } from './inbound-errors.ts';

/** Replies by one rule to one number in an hour: two machines that answer each other stop at this. */
export const repliesAnHour = 5;
const hourMs = 3_600_000;

/** What is answered, and by which rule; all that answers STOP and START counts as one rule. */
export interface Reply {
  organizationId: string;
  sender: string;
  text: string;
  keywordId: string | null;
  /** Send it to a number that has just opted out: the confirmation of that alone. */
  confirmsOptOut: boolean;
}

/**
 * Stores the reply to a message from a phone as an ordinary message, in the caller's transaction. That there is one
 * reply at most is a unique index; the caller holds the phone, so that replies to it are counted exactly.
 *
 * @returns the reply's row, or why there is none
 */
export async function storeReply(
  db: Sql,
  message: HandledMessage,
  reply: Reply,
  now: Date,
): Promise<{ reply: Handled['reply']; errorCode: Reason | null }> {
  const { organizationId, sender, text, keywordId } = reply;
  if (message.sender === message.recipient || message.sender === sender) {
    return { reply: null, errorCode: 'own_number' };
  }
  if (!normalizeRecipient(message.sender).ok) return { reply: null, errorCode: 'invalid_recipient' };
  // What is said under the sender of test keys reaches no phone, though it answers one.
  const environment = sender === testSender ? 'test' : 'live';
  const replies = await countReplies(db, { organizationId, environment }, message.sender, keywordId, now);
  if (replies >= repliesAnHour) {
    return { reply: null, errorCode: 'reply_limit_reached' };
  }
  const draft = draftMessage(
    { organizationId, environment },
    { to: message.sender, from: sender, text },
    [],
    now,
  );
  const [stored] = await storeMessages(db, [
    { ...draft, answersInboundId: message.id, ignoresSuppression: reply.confirmsOptOut },
  ]);
  switch (stored?.outcome) {
    case 'stored':
      return { reply: { id: draft.id, organizationId }, errorCode: null };
    case 'recipient_opted_out':
      return { reply: null, errorCode: 'recipient_opted_out' };
    default:
      return { reply: null, errorCode: 'sender_not_approved' };
  }
}

async function countReplies(
  db: Sql,
  { organizationId, environment }: SenderOwner,
  phone: string,
  keywordId: string | null,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ replies: number }>`
    select count(*)::int as replies
    from messages join inbound_messages answered on answered.id = messages.answers_inbound_id
    where messages.organization_id = ${organizationId} and environment = ${environment} and messages.recipient = ${phone}
      and messages.status in ('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled')
      and messages.id >= ${lowestTimeOrderedId(new Date(now.getTime() - hourMs))}
      and ${keywordId === null ? sql`answered.matched in ('stop', 'start')` : sql`answered.keyword_id = ${keywordId}`}
  `.execute(db);
  return rows[0]!.replies;
}
