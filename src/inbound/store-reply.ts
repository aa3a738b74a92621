import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { draftMessage } from '../messages/draft-message.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { storeMessages } from '../messages/store-messages.ts';
import { testSender, type SenderOwner } from '../sender-ids/permitted-sender.ts';
import type { Handled, HandledMessage } from './handled-message.ts';
import type { Reason } from './inbound-errors.ts';

/**
 * The maximum number of replies by one rule to one number in an hour. It stops two machines that reply to each other.
 */
export const repliesAnHour = 5;
const hourMs = 3_600_000;

/** The reply and its rule. All confirmations of STOP and START count as one rule. */
export interface Reply {
  organizationId: string;
  sender: string;
  text: string;
  keywordId: string | null;
  /** True only for the confirmation of STOP, which is sent although the number has just opted out. */
  confirmsOptOut: boolean;
}

/**
 * Stores the reply to an inbound message as an ordinary message, in the caller's transaction. A unique index ensures
 * that there is at most one reply. The caller holds the lock of the phone, so the count of replies is exact.
 *
 * @returns the row of the reply, or the reason why there is none
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
  // A reply with the sender of test keys reaches no phone, although it replies to one.
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
    {
      ...draft,
      recipientHash: message.senderHash,
      answersInboundId: message.id,
      ignoresSuppression: reply.confirmsOptOut,
    },
  ]);
  switch (stored?.outcome) {
    case 'stored':
      return { reply: { id: draft.id, organizationId }, errorCode: null };
    case 'recipient_opted_out':
    case 'destination_not_allowed':
    case 'content_refused':
      return { reply: null, errorCode: stored.outcome };
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
    from messages join inbound_messages replied_to on replied_to.id = messages.answers_inbound_id
    where messages.organization_id = ${organizationId} and environment = ${environment} and messages.recipient = ${phone}
      and messages.status in ('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled')
      and messages.id >= ${lowestTimeOrderedId(new Date(now.getTime() - hourMs))}
      and ${keywordId === null ? sql`replied_to.matched in ('stop', 'start')` : sql`replied_to.keyword_id = ${keywordId}`}
  `.execute(db);
  return rows[0]!.replies;
}
