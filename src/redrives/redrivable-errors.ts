import type { MessageErrorCode } from '../messages/message-status.ts';

/**
 * Which failed messages may be sent once more: those that failed for want of a way to the handset. Who opted
 * out is never written to again, however often an operator asks.
 */
const isRedrivable = {
  dlr_timeout: true,
  gateway_rejected: true,
  not_routable: true,
  smsc_rejected: true,
  undelivered: true,
  validity_expired: true,
  recipient_opted_out: false,
  // Of bulk batches: another copy of the same text would fail for the same reason, or be the duplicate.
  duplicate_recipient: false,
  invalid_recipient: false,
  text_empty: false,
  text_too_long: false,
} as const satisfies Record<MessageErrorCode | 'recipient_opted_out', boolean>;

/** The error codes of messages that may be sent once more; openapi.yaml lists the same. */
export const redrivableErrorCodes = Object.entries(isRedrivable)
  .filter(([, redrivable]) => redrivable)
  .map(([code]) => code);
