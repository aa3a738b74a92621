import { Temporal } from 'temporal-polyfill';
import { oneLine } from '../auth/mails/mails.ts';
import type { Environment } from '../principal.ts';
import type { NotificationEvent } from './notification-kinds.ts';

/** The key or person that created a thing. A key cannot be notified. */
export interface Creator {
  kind: 'api_key' | 'user';
  id: string;
}

export function senderIdReviewed(sender: {
  id: string;
  organizationId: string;
  value: string;
  status: string;
  isDefault: boolean;
  reviewReason: string | null;
  /** Part of the occurrence, because a rejected sender ID may be reviewed again. */
  reviewedAt: string | null;
  requestedBy: Creator | null;
}): NotificationEvent {
  const { id, organizationId, value, status, isDefault, reviewReason, reviewedAt, requestedBy } = sender;
  const said = reviewReason === null ? '' : ` Reason given by the reviewer: ${reviewReason}`;
  const use = isDefault ? ' Messages without `from` use it.' : '';
  return {
    kind: 'sender_id_reviewed',
    organizationId,
    personId: personOf(requestedBy),
    subjectId: id,
    occurrence: `${id} ${reviewedAt}`,
    title: `Sender ID ${value} ${status}`,
    body:
      status === 'approved'
        ? `Messages may now be sent from ${value}.${use}${said}`
        : `Messages may not be sent from ${value}. The request can be changed and resubmitted.${said}`,
    data: { senderId: id, status },
  };
}

export interface EndedBatch {
  id: string;
  organizationId: string;
  environment: Environment;
  campaignId: string;
  campaignName: string;
  total: number;
  createdBy: Creator;
}

export function batchCompleted(batch: EndedBatch): NotificationEvent {
  return {
    ...batchEvent(batch, 'completed'),
    kind: 'batch_completed',
    title: `Bulk batch of ${oneLine(batch.campaignName)} completed`,
    body: `All messages have been handed to the gateway or refused; recipients: ${batch.total}. See its ledger for the result of each message.`,
  };
}

/** @param failure why the batch could not be sent: a code for programs and a message for people */
export function batchFailed(
  batch: EndedBatch,
  failure: { code: string; message: string },
): NotificationEvent {
  const event = batchEvent(batch, 'failed');
  return {
    ...event,
    kind: 'batch_failed',
    title: `Bulk batch of ${oneLine(batch.campaignName)} failed`,
    body: failure.message,
    data: { ...event.data, failure: failure.code },
  };
}

function batchEvent({ id, organizationId, environment, campaignId, createdBy }: EndedBatch, status: string) {
  return {
    organizationId,
    personId: personOf(createdBy),
    subjectId: id,
    occurrence: id,
    data: { bulkSmsId: id, campaignId, environment, status },
  };
}

/** Creates the event for consecutive occurrences that were missed because the service was down for too long. */
export function scheduleMissed(missed: {
  scheduleId: string;
  organizationId: string;
  environment: Environment;
  /** The time zone of the schedule, an IANA name. */
  timezone: string;
  first: Date;
  last: Date;
  count: number;
}): NotificationEvent {
  const { scheduleId, organizationId, environment, timezone, count } = missed;
  const [first, last] = [missed.first.toISOString(), missed.last.toISOString()];
  return {
    kind: 'schedule_missed',
    organizationId,
    personId: null,
    subjectId: scheduleId,
    occurrence: `${scheduleId} ${first}`,
    title: count === 1 ? 'A scheduled message was not sent' : `${count} scheduled messages were not sent`,
    body:
      (count === 1
        ? `It was due at ${localTime(missed.first, timezone)} (${timezone}), more than an hour before the service could send it.`
        : `They were due from ${localTime(missed.first, timezone)} to ${localTime(missed.last, timezone)} ` +
          `(${timezone}), more than an hour before the service could send them.`) +
      ' Send again what is still needed.',
    data: { scheduleId, environment, occurrences: count, firstDueAt: first, lastDueAt: last },
  };
}

/**
 * Creates the event for a delivery that was given up. If a receiver is down, thousands are given up, so there is one
 * notification per hour, receiver and environment. The environments are separate, because dead test deliveries say
 * nothing about live webhooks and must not hide them.
 *
 * @param delivery.url only its host is shown: the rest may contain a secret
 */
export function webhookDead(
  delivery: { id: string; messageId: string; organizationId: string; environment: Environment; url: string },
  at: Date,
): NotificationEvent {
  const { id, messageId, organizationId, environment } = delivery;
  const { host } = new URL(delivery.url);
  return {
    kind: 'webhook_dead',
    organizationId,
    personId: null,
    subjectId: id,
    occurrence: `${organizationId} ${environment} ${host} ${at.toISOString().slice(0, 'yyyy-mm-ddThh'.length)}`,
    title: `${environment === 'test' ? 'Test webhooks' : 'Webhooks'} to ${host} are given up`,
    body:
      'A delivery is in the dead-letter queue, because its last attempt failed or the receiver is gone. Others to ' +
      'this receiver may follow; you are notified once an hour. Repair the receiver, then redrive them.',
    data: { deliveryId: id, messageId, environment, status: 'dead' },
  };
}

/** Creates the event for an inbound message that could not be processed. */
export function inboundFailed(inbound: {
  id: string;
  organizationId: string;
  environment: Environment;
  /** Part of the occurrence, because a redriven message may fail again. */
  failedAt: Date;
}): NotificationEvent {
  const { id, organizationId, environment, failedAt } = inbound;
  return {
    kind: 'inbound_failed',
    organizationId,
    personId: null,
    subjectId: id,
    occurrence: `${id} ${failedAt.toISOString()}`,
    title: 'An inbound message could not be processed',
    body: 'It is stored as failed. See the list of inbound messages, and redrive it when the cause is corrected.',
    data: { inboundMessageId: id, environment, status: 'failed' },
  };
}

/**
 * Creates the event for an alarm: few of the security codes to a prefix were verified. Another one tells that codes are
 * refused, if an alarm that only warned becomes one that holds.
 */
export function securityCodesUnverified(alarm: {
  id: string;
  organizationId: string;
  prefix: string;
  holds: boolean;
  codes: number;
  verified: number;
  endsAt: Date;
}): NotificationEvent {
  const { id, organizationId, prefix, holds, codes, verified } = alarm;
  const endsAt = alarm.endsAt.toISOString();
  const what = holds
    ? `The service sends no more codes to this prefix until ${endsAt.slice(0, 16).replace('T', ' ')} (UTC). An ` +
      'administrator of the service can end this before.'
    : 'They are still sent.';
  return {
    kind: 'security_codes_unverified',
    organizationId,
    personId: null,
    subjectId: id,
    occurrence: `${id} ${holds ? 'holds' : 'warns'}`,
    title: `Few security codes to ${prefix} are verified`,
    body:
      `Codes sent in an hour: ${codes}, verified: ${verified}. Somebody may request them only for the price of the ` +
      `messages. ${what} Limit how often a visitor may request a code.`,
    data: { alarmId: id, prefix, holds, codes, verified, endsAt },
  };
}

export function invitationReceived(invitation: {
  id: string;
  inviteeId: string;
  organizationId: string;
  organizationName: string;
  role: string;
}): NotificationEvent {
  const { id, inviteeId, organizationId, organizationName, role } = invitation;
  const name = oneLine(organizationName);
  return {
    kind: 'invitation_received',
    organizationId: null,
    personId: inviteeId,
    subjectId: id,
    occurrence: id,
    title: `Invitation to ${name}`,
    body: `You are invited to ${name} as ${role}. Accept the invitation or reject it.`,
    data: { invitationId: id, organizationId, role },
  };
}

/** Returns the local time in a time zone, to the minute: `2026-11-21 09:30`. */
function localTime(at: Date, timezone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
  return zoned.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
}

function personOf(maker: Creator | null): string | null {
  return maker?.kind === 'user' ? maker.id : null;
}
