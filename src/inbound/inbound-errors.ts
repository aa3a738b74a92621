import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { MatchKind } from './inbound-message.entity.ts';

/** A message from a phone that is being handled. */
export interface HandledMessage {
  id: string;
  /** Known where it was routed before. */
  organizationId: string | null;
  sender: string;
  recipient: string;
  text: string;
  providerMessageId: string | null;
  createdAt: Date;
}

/**
 * Why something was not done, by code. A message with one of the first two is `failed`: someone can put that right
 * and redrive it. With one of the others all is as it should be, and nothing more is to be done.
 */
export const reasons = {
  sender_not_approved: 'The sender of the answer is not approved for the organization.',
  processing_failed: 'The service failed at this message several times; its log says why.',
  invalid_recipient: 'The sender of the message is no number that an answer can be sent to.',
  recipient_opted_out: 'The phone has opted out, so it is not answered.',
  reply_limit_reached:
    'The phone was answered by this rule as often as it may be in an hour; another machine may be answering.',
  already_opted_out: 'The phone had opted out before, which was confirmed then.',
  not_opted_out: 'The phone had not opted out by STOP, so there was nothing to end.',
  suppressed_by_operator:
    'The organization itself has the phone on its suppression list, which START does not end; it ended a STOP, if there was one.',
  stopped_elsewhere:
    'The phone sent STOP to another number, too; START ends that there, or at a number that is one organization’s alone.',
  own_number: 'The message came from the number that would answer it, which would then answer itself.',
} as const;

export type Reason = keyof typeof reasons;

/** What handling came to; the fields are those of the row. */
export interface Handled {
  status: 'processed' | 'failed' | 'unmatched';
  organizationId: string | null;
  matched: MatchKind | null;
  keywordId: string | null;
  errorCode: Reason | null;
  /** The reply, for its dispatch to be started. */
  reply: DispatchRow | null;
}
