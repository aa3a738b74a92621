import type { Principal } from '../principal.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { describeCap, type Cap } from '../sending-controls/sending-caps.ts';
import { checkWebhookUrl } from '../webhooks/webhook-url.ts';
import { makeTimeOrderedId } from '../time-ordered-id.ts';
import { defaultValidityMs } from './message-status.ts';
import { normalizeRecipient } from './recipient.ts';
import { countSegments } from './segments.ts';
import type { MessageDraft } from './store-messages.ts';

/**
 * Creates a draft from the caller's request. Applies every check that does not need the database.
 *
 * @param owner the organization and the environment that the message belongs to
 * @throws ApiError invalid_recipient, webhook_url_not_allowed
 */
export function draftMessage(
  owner: Pick<Principal, 'organizationId' | 'environment'>,
  input: Schemas['MessageInput'],
  webhookAllowedHosts: readonly string[],
  createdAt: Date,
): MessageDraft {
  const recipient = normalizeRecipient(input.to);
  if (!recipient.ok) {
    throw new ApiError('invalid_recipient', `Messages cannot be sent to this number: ${recipient.reason}.`, {
      errors: [{ path: '/body/to', code: 'invalid_recipient', message: recipient.reason }],
    });
  }
  if (input.webhook) {
    const webhook = checkWebhookUrl(input.webhook.url, webhookAllowedHosts);
    if (!webhook.ok) {
      throw new ApiError('webhook_url_not_allowed', `The webhook URL cannot be used: ${webhook.reason}.`, {
        errors: [{ path: '/body/webhook/url', code: 'webhook_url_not_allowed', message: webhook.reason }],
      });
    }
  }
  return {
    id: makeTimeOrderedId(createdAt),
    organizationId: owner.organizationId,
    environment: owner.environment,
    sender: input.from === undefined ? null : normalizeSender(input.from),
    recipient: recipient.e164,
    text: input.text,
    ...countSegments(input.text),
    metadata: input.metadata ?? {},
    webhookUrl: input.webhook?.url ?? null,
    createdAt,
    validUntil: new Date(createdAt.getTime() + defaultValidityMs),
  };
}

/** The error for a draft that was not stored because it has no approved sender. */
export function senderError(from: string | undefined): ApiError {
  return from === undefined
    ? new ApiError(
        'sender_required',
        'The organization has no approved default sender. Set `from` to an approved sender.',
      )
    : new ApiError('sender_not_approved', 'The sender in `from` is not approved for this organization.', {
        errors: [{ path: '/body/from', code: 'sender_not_approved', message: 'is not an approved sender' }],
      });
}

/** Why a draft was not stored. */
export type DraftRefusal =
  | { outcome: 'sender_refused' | 'destination_not_allowed' | 'recipient_opted_out' }
  | { outcome: 'content_refused'; reason: string };

/**
 * Returns the error for a draft that was not stored.
 *
 * @param from the sender in the request
 */
export function refusalError(refusal: DraftRefusal, from: string | undefined): ApiError {
  switch (refusal.outcome) {
    case 'sender_refused':
      return senderError(from);
    case 'destination_not_allowed':
      return destinationError();
    case 'recipient_opted_out':
      return optedOutError();
    case 'content_refused':
      return contentError(refusal.reason);
  }
}

/**
 * Returns the error for a live message that a cap of its organization refuses.
 *
 * @param at when the message was refused
 */
export function capError(cap: Cap, at: Date): ApiError {
  const waitSeconds = String(Math.max(1, Math.ceil((cap.windowEnd.getTime() - at.getTime()) / 1000)));
  return new ApiError('sending_cap_reached', `${describeCap(cap)} Try again in ${waitSeconds} s.`, {
    // Replaces the headers from limitRate, which describe the caller's own limit: that one was not reached.
    headers: {
      'Retry-After': waitSeconds,
      'RateLimit-Limit': String(cap.limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': waitSeconds,
    },
  });
}

function destinationError(): ApiError {
  return new ApiError(
    'destination_not_allowed',
    'The organization may not send to this country or network. Ask an administrator of the service to allow it.',
    {
      errors: [
        { path: '/body/to', code: 'destination_not_allowed', message: 'is not an allowed destination' },
      ],
    },
  );
}

/**
 * Returns the error for a text that a rule refuses.
 *
 * @param reason that of the rule
 */
export function contentError(reason: string): ApiError {
  return new ApiError('content_refused', `A rule of the service refuses the text: ${reason}`, {
    errors: [{ path: '/body/text', code: 'content_refused', message: 'is refused by a rule' }],
  });
}

function optedOutError(): ApiError {
  return new ApiError(
    'recipient_opted_out',
    'The recipient is on the suppression list of the organization. Remove the number from the list only if its owner requests it.',
    { errors: [{ path: '/body/to', code: 'recipient_opted_out', message: 'has opted out' }] },
  );
}
