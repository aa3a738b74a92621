import type { MessageErrorCode } from '../messages/message-status.ts';

/**
 * Which failed messages may be sent once more: messages that failed because they could not reach the handset.
 * Recipients who opted out never receive another message, even if an operator requests it.
 */
const isRedrivable = {
  // Sent again, the message is checked again.
  content_refused: true,
  destination_not_allowed: true,
  dlr_timeout: true,
  gateway_rejected: true,
  not_routable: true,
  smsc_rejected: true,
  undelivered: true,
  validity_expired: true,
  recipient_opted_out: false,
  // From bulk batches: a copy of the same text would fail for the same reason, or be the duplicate.
  duplicate_recipient: false,
  invalid_recipient: false,
  text_empty: false,
  text_too_long: false,
} as const satisfies Record<MessageErrorCode | 'recipient_opted_out', boolean>;

/** The error codes of messages that may be sent once more; openapi.yaml lists the same codes. */
export const redrivableErrorCodes = Object.entries(isRedrivable)
  .filter(([, redrivable]) => redrivable)
  .map(([code]) => code);
