import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { inboundFailed } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';
import { environments } from '../principal.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { replyToKeyword } from './reply-to-keyword.ts';
import { changeOptOut } from './change-opt-out.ts';
import { findLastSent, type LastSent } from '../messages/find-last-sent.ts';
import { findOwners, type Owner } from '../sender-ids/find-owners.ts';
import { lockName } from '../lock-name.ts';
import type { Handled, HandledMessage } from './handled-message.ts';
import { reasons, type Reason } from './inbound-errors.ts';
import { readOptOut } from './keywords/opt-out-words.ts';
import { storeReceivedWebhook } from './store-received-webhook.ts';

/** How long after a message an inbound message from its recipient counts as a reply to it. */
const replyWindowMs = 7 * 24 * 3_600_000;

/** The rows whose dispatches must be started after a message is handled. */
export interface Started {
  reply: DispatchRow | null;
  webhook: DispatchRow | null;
}

/**
 * Handles one inbound message in one transaction. Its organization, its keyword, the reply, the opt-out, the webhook
 * and its status are committed together or not at all, so a repetition finds the message already handled. Returns null
 * if the message is already handled.
 */
export async function handleMessage(
  database: Database,
  { id, senderHash }: Pick<HandledMessage, 'id' | 'senderHash'>,
  now: Date,
): Promise<Started | null> {
  return sqlOf(database)
    .transaction()
    .execute(async (db) => {
      const locked = await lockInboundMessage(db, id);
      if (!locked) return null;
      const message = { ...locked, senderHash };
      const owners = await ownersOf(db, message);
      const handled = await decide(db, message, owners, now);
      const repliedTo = await findMessageRepliedTo(db, message, handled, owners, now);
      const webhook = repliedTo && (await storeReceivedWebhook(db, message, repliedTo, now));
      await finish(db, message, handled, repliedTo?.messageId ?? null, now);
      return { reply: handled.reply, webhook };
    });
}

/** Marks a message as failed after the service has failed to handle it several times. It can be redriven. */
export async function markFailed(database: Database, id: string, now: Date): Promise<void> {
  await sqlOf(database)
    .transaction()
    .execute(async (db) => {
      const message = await lockInboundMessage(db, id);
      if (!message) return;
      const owners = await ownersOf(db, message);
      const organizationId = owners.length === 1 ? owners[0]!.organizationId : message.organizationId;
      const nothing = { matched: null, keywordId: null, reply: null };
      const failed = {
        ...nothing,
        status: 'failed',
        organizationId,
        errorCode: 'processing_failed',
      } as const;
      await finish(db, message, failed, null, now);
    });
}

type LockedMessage = Omit<HandledMessage, 'senderHash'>;

/**
 * Locks the message, and then its phone. So the messages of one phone are handled one after the other: the count of
 * replies is exact, and of several STOPs exactly one is the first.
 */
async function lockInboundMessage(db: Sql, id: string): Promise<LockedMessage | null> {
  const { rows } = await sql<Stored<LockedMessage>>`
    select id, organization_id as "organizationId", sender, recipient, text,
      provider_message_id as "providerMessageId", created_at as "createdAt"
    from inbound_messages where id = ${id} and status = 'processing' for no key update
  `.execute(db);
  if (!rows[0]) return null;
  await lockName(db, ['inbound', rows[0].sender]);
  return { ...rows[0], createdAt: toDate(rows[0].createdAt) };
}

/** Finds the owners of the recipient number. A message that was routed before stays with its organization. */
async function ownersOf(db: Sql, { recipient, organizationId }: LockedMessage): Promise<Owner[]> {
  const owners = await findOwners(db, recipient);
  return organizationId === null ? owners : owners.filter((owner) => owner.organizationId === organizationId);
}

async function decide(db: Sql, message: HandledMessage, owners: Owner[], now: Date): Promise<Handled> {
  if (owners.length === 0) {
    const { organizationId } = message;
    return {
      status: 'unmatched',
      organizationId,
      matched: null,
      keywordId: null,
      errorCode: null,
      reply: null,
    };
  }
  const optOut = readOptOut(message.text);
  return optOut ? changeOptOut(db, message, owners, optOut, now) : replyToKeyword(db, message, owners, now);
}

/**
 * Finds the message that this one most likely replies to: the last one that the message's organization sent from the
 * number to the phone. If the message has no organization, it is the last live message of any owner. Test messages do
 * not count there: they never reach the phone, and must not let their sender receive replies meant for others.
 */
async function findMessageRepliedTo(
  db: Sql,
  { sender }: HandledMessage,
  { organizationId }: Handled,
  owners: Owner[],
  now: Date,
): Promise<LastSent | null> {
  const isRouted = organizationId !== null;
  const senders = isRouted ? owners.filter((owner) => owner.organizationId === organizationId) : owners;
  if (senders.length === 0) return null;
  const since = new Date(now.getTime() - replyWindowMs);
  const [last] = await findLastSent(db, senders, sender, {
    since,
    environments: isRouted ? environments : ['live'],
    replies: false,
  });
  return last ?? null;
}

/** Stores the result of handling a message, and notifies the organization if it failed. */
async function finish(
  db: Sql,
  message: LockedMessage,
  handled: Handled,
  inReplyToMessageId: string | null,
  now: Date,
): Promise<void> {
  const { status, organizationId, matched, keywordId, errorCode } = handled;
  await sql`
    update inbound_messages set
      status = ${status}, organization_id = ${organizationId}, matched = ${matched}, keyword_id = ${keywordId},
      error_code = ${errorCode}, error_message = ${explain(errorCode)}, processed_at = ${now}, due_at = null,
      in_reply_to_message_id = coalesce(${inReplyToMessageId}, in_reply_to_message_id)
    where id = ${message.id} and status = 'processing'
  `.execute(db);
  if (status === 'failed' && organizationId !== null) {
    const failed = { id: message.id, organizationId, environment: 'live', failedAt: now } as const;
    await recordNotifications(db, [inboundFailed(failed)], now);
  }
}

function explain(errorCode: Reason | null): string | null {
  return errorCode && reasons[errorCode];
}
