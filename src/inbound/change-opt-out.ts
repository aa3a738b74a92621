import type { Sql } from '../database.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { findLastSent } from '../messages/find-last-sent.ts';
import type { Owner } from '../sender-ids/find-owners.ts';
import { endOptOuts, findSources, storeOptOuts } from '../suppressions/opt-outs.ts';
import type { Handled, HandledMessage } from './handled-message.ts';
import type { Reason } from './inbound-errors.ts';
import type { OptOut } from './keywords/opt-out-words.ts';
import { storeReply } from './store-reply.ts';

/**
 * Carries out a STOP or START message and confirms it once (docs/decisions/inbound.md). STOP puts the phone on the
 * suppression list. START removes the entries that STOP has created. If organizations share a short code, STOP applies
 * to those that have sent to the phone from it; if none has, it applies to all.
 *
 * @param owners the organizations that own the recipient number, at least one
 */
export async function changeOptOut(
  db: Sql,
  message: HandledMessage,
  owners: readonly Owner[],
  { request, confirmation, confirmationIfSuppressedByOperator }: OptOut,
  now: Date,
): Promise<Handled> {
  const isPhone = normalizeRecipient(message.sender).ok;
  const senders = isPhone
    ? await findLastSent(db, owners, message.sender, {
        since: new Date(0),
        environments: ['live'],
        replies: true,
      })
    : [];
  const audienceOf = request === 'stop' && senders.length > 0 ? senders : owners;
  const handled: Handled = {
    status: 'processed',
    matched: request,
    // Of several owners, the one that sent last: the phone most likely replies to it. If none has sent, null.
    organizationId: senders[0]?.organizationId ?? (owners.length === 1 ? owners[0]!.organizationId : null),
    keywordId: null,
    errorCode: null,
    reply: null,
  };
  if (!isPhone) return { ...handled, errorCode: 'invalid_recipient' };

  const ids = audienceOf.map(({ organizationId }) => organizationId);
  const changed =
    request === 'stop'
      ? await storeOptOuts(db, message, ids, now)
      : await endOptOuts(db, message, ids, owners.length > 1, now);
  if (changed.size === 0) {
    const errorCode =
      request === 'stop' ? 'already_opted_out' : await explainStart(db, message, handled, ids);
    return { ...handled, errorCode };
  }
  const confirming = [...senders, ...owners].find(({ organizationId }) => changed.has(organizationId))!;
  const { organizationId, sender } = confirming;
  const isSuppressedByOperator = (await findSources(db, message, [organizationId])).includes('operator');
  const text = isSuppressedByOperator ? confirmationIfSuppressedByOperator : confirmation;
  const reply = { organizationId, sender, text, keywordId: null, confirmsOptOut: request === 'stop' };
  const stored = await storeReply(db, message, reply, now);
  return { ...handled, organizationId, ...stored };
}

/**
 * Returns why START ended no suppression. Organizations that share a short code do not learn what is on the suppression
 * lists of the others.
 */
async function explainStart(
  db: Sql,
  message: HandledMessage,
  { organizationId }: Handled,
  organizationIds: string[],
): Promise<Reason> {
  const sources = await findSources(
    db,
    message,
    organizationId === null ? organizationIds : [organizationId],
  );
  if (sources.length === 0) return 'not_opted_out';
  return sources.includes('operator') ? 'suppressed_by_operator' : 'stopped_elsewhere';
}
