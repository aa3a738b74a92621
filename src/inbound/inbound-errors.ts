/**
 * Why a message got no reply, by code. A message with one of the first two codes is `failed`: people can correct the
 * cause and redrive it. With any other code the message is handled correctly, and nothing remains to be done.
 */
export const reasons = {
  sender_not_approved: 'The sender of the reply is not approved for the organization.',
  processing_failed: 'The service failed to process this message several times. Its log contains the cause.',
  invalid_recipient: 'The sender of the message is not a number that can receive a reply.',
  recipient_opted_out: 'The phone has opted out, so no reply is sent.',
  destination_not_allowed: 'The organization may not send to this number, so no reply is sent.',
  content_refused: 'A rule of the service refuses the text of the reply, so no reply is sent.',
  reply_limit_reached:
    'This rule has sent the phone the maximum number of replies in an hour. The phone may be an automatic responder.',
  already_opted_out: 'The phone had already opted out, which was confirmed at that time.',
  not_opted_out: 'The phone had not opted out by STOP, so there was no opt-out to end.',
  suppressed_by_operator:
    'The organization itself has put the phone on its suppression list. START does not remove this entry. If there was a STOP, START ended it.',
  stopped_elsewhere:
    'The phone also sent STOP to another number. To end that, it must send START to that number, or to a number that only one organization owns.',
  own_number:
    'The message came from the number that would send the reply, so the number would reply to itself.',
} as const;

export type Reason = keyof typeof reasons;
