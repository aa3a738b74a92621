import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../auth/principal.ts';
import { isDatabaseUnreachable, type Database } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { ApiError } from '../errors.ts';
import { withinOrganizations } from '../organizations/organization-scope.ts';
import { checkWebhookUrl } from '../webhooks/webhook-url.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { defaultValidityMs } from './message-status.ts';
import { normalizeRecipient } from './recipient.ts';
import { countSegments } from './segments.ts';
import { storeMessages, type MessageDraft } from './store-messages.ts';

/** The body of POST /api/v1/messages, already held against openapi.yaml. */
export interface MessageInput {
  to: string;
  text: string;
  from?: string;
  metadata?: Record<string, unknown>;
  webhook?: { url: string; secret?: string };
  organizationId?: string;
}

/** Messages that one statement stores at most. */
const storedAtOnce = 200;

/**
 * Makes the use case of POST /api/v1/messages: stores a message and sets its sending off.
 *
 * It resolves once the message is committed; requests that come together are committed together. The start
 * of its dispatch is not waited for: if that fails, the sweep finds the row.
 *
 * Errors: invalid_recipient, webhook_url_not_allowed, sender_required, sender_not_approved.
 */
export function createSendMessage(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  webhookAllowedHosts: readonly string[];
  now: () => Date;
}): (principal: Principal, input: MessageInput) => Promise<MessageRecord> {
  const { database, startMessages, webhookAllowedHosts, now } = dependencies;
  const store = createBatcher<MessageDraft, string | null>({
    run: (drafts) =>
      withinOrganizations(
        database,
        drafts.map(({ organizationId }) => organizationId),
        (db) => storeMessages(db, drafts),
      ),
    maxItems: storedAtOnce,
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async (principal, input) => {
    const draft = draftMessage(principal, input, webhookAllowedHosts, now());
    const sender = await store(draft);
    if (sender === null) throw senderError(input.from);
    startMessages({ id: draft.id, organizationId: draft.organizationId });
    return toMessageRecord({
      ...draft,
      sender,
      status: 'queued',
      providerMessageId: null,
      errorCode: null,
      errorMessage: null,
      acceptedAt: null,
      sentAt: null,
      deliveredAt: null,
      failedAt: null,
    });
  };
}

function draftMessage(
  principal: Principal,
  input: MessageInput,
  webhookAllowedHosts: readonly string[],
  createdAt: Date,
): MessageDraft {
  const recipient = normalizeRecipient(input.to);
  if (!recipient.ok) {
    throw new ApiError(
      'invalid_recipient',
      `This is no number that a message can be sent to: ${recipient.reason}.`,
      {
        errors: [{ path: '/body/to', code: 'invalid_recipient', message: recipient.reason }],
      },
    );
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
    id: uuidv7(),
    organizationId: principal.organizationId,
    environment: principal.environment,
    sender: input.from ?? null,
    recipient: recipient.e164,
    text: input.text,
    ...countSegments(input.text),
    metadata: input.metadata ?? {},
    webhookUrl: input.webhook?.url ?? null,
    webhookSecret: input.webhook?.secret ?? null,
    createdAt,
    validUntil: new Date(createdAt.getTime() + defaultValidityMs),
  };
}

function senderError(from: string | undefined): ApiError {
  return from === undefined
    ? new ApiError('sender_required', 'The organization has no approved default sender: name one in `from`.')
    : new ApiError('sender_not_approved', 'The sender in `from` is not approved for this organization.', {
        errors: [{ path: '/body/from', code: 'sender_not_approved', message: 'is not an approved sender' }],
      });
}
