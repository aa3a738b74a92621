import type { Principal } from '../principal.ts';
import { isDatabaseUnreachable, type Database } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { keyInProgress, keyReused, type IdempotentResult } from '../idempotency/find-answer.ts';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import { draftMessage, optedOutError, senderError, type MessageInput } from './draft-message.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import type { Sealer } from './sealer.ts';
import { storeMessagesOnce, type KeyedDraft, type MessageDraft, type StoredDraft } from './store-messages.ts';

/** Messages that one statement stores at most. */
const storedAtOnce = 200;

/**
 * Makes the use case of POST /api/v1/messages: stores a message and sets its sending off.
 *
 * It resolves once the message is committed; requests that come together are committed together. The start
 * of its dispatch is not waited for: if that fails, the sweep finds the row. With a claim, a request that was
 * answered before makes nothing and is answered the same again.
 *
 * Errors: invalid_recipient, webhook_url_not_allowed, sender_required, sender_not_approved,
 * recipient_opted_out, idempotency_key_reused, idempotency_in_progress.
 */
export function createSendMessage(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  /** Seals the secrets of webhooks. */
  secretSealer: Sealer;
  webhookAllowedHosts: readonly string[];
  now: () => Date;
}): (
  principal: Principal,
  input: MessageInput,
  claim: IdempotencyClaim | null,
) => Promise<IdempotentResult<MessageRecord>> {
  const { database, startMessages, secretSealer, webhookAllowedHosts, now } = dependencies;
  const store = createBatcher<KeyedDraft, StoredDraft>({
    run: (drafts) =>
      asTenants(
        database,
        drafts.map(({ organizationId }) => organizationId),
        (db) => storeMessagesOnce(db, drafts),
      ),
    maxItems: storedAtOnce,
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async (principal, input, claim) => {
    const { secret } = input.webhook ?? {};
    const draft: MessageDraft = {
      ...draftMessage(principal, input, webhookAllowedHosts, now()),
      ...(secret !== undefined && {
        sealedWebhookSecret: secretSealer.seal(principal.organizationId, secret),
      }),
    };
    const result = await store(claim ? withStoredAnswer(draft, claim) : draft);
    switch (result.outcome) {
      case 'stored':
        startMessages({ id: draft.id, organizationId: draft.organizationId });
        return { kind: 'made', record: toQueuedRecord(draft, result.sender) };
      case 'replayed':
        return { kind: 'replayed', status: result.status, body: result.body };
      case 'sender_refused':
        throw senderError(input.from);
      case 'recipient_opted_out':
        throw optedOutError();
      case 'key_reused':
        throw keyReused();
      case 'key_in_progress':
        throw keyInProgress();
    }
  };
}

/** Stands for the sender where the answer is written before it is known; no other value looks like it. */
const unknownSender = '\0';

/** Adds what is to be answered, so that it can be stored with the message. */
function withStoredAnswer(draft: MessageDraft, claim: IdempotencyClaim): KeyedDraft {
  const body = JSON.stringify(toQueuedRecord(draft, unknownSender));
  const [before = '', after = ''] = body.split(JSON.stringify(unknownSender));
  return { ...draft, idempotency: { ...claim, status: 202, answer: [before, after] } };
}

function toQueuedRecord(draft: MessageDraft, sender: string): MessageRecord {
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
}
