import type { Principal } from '../principal.ts';
import { isDatabaseUnreachable, type Database, type Sql } from '../database.ts';
import { createBatcher, type Gathering } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { keyInProgress, keyReused, type IdempotentResult } from '../idempotency/find-answer.ts';
import type { IdempotencyKeyUse } from '../idempotency/idempotency-key-use.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { activeTraceparent, inSpan, linksTo } from '../tracing.ts';
import { capError, draftMessage, refusalError } from './draft-message.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import type { Sealer } from './sealer.ts';
import { storeCappedMessages } from './store-capped-messages.ts';
import { storeMessagesOnce, type KeyedDraft, type MessageDraft, type StoredDraft } from './store-messages.ts';

/** The maximum number of messages that one statement stores. */
const storedAtOnce = 200;

/**
 * Creates the function that handles POST /api/v1/messages: it stores a message and starts its dispatch.
 *
 * The function resolves once the message is committed. Concurrent requests are committed together. It does not wait for
 * the dispatch to start: if the start fails, the sweep finds the row. If the idempotency key matches an earlier
 * request, the function stores nothing and returns the stored response.
 *
 * Errors: invalid_recipient, webhook_url_not_allowed, sender_required, sender_not_approved, recipient_opted_out,
 * destination_not_allowed, content_refused, sending_cap_reached, idempotency_key_reused, idempotency_in_progress.
 */
export function createSendMessage(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  /** Seals webhook secrets. */
  secretSealer: Sealer;
  webhookAllowedHosts: readonly string[];
  gathering: Gathering;
  hashNumber: HashNumber;
  now: () => Date;
}): (
  principal: Principal,
  input: Schemas['MessageInput'],
  keyUse: IdempotencyKeyUse | null,
) => Promise<IdempotentResult<MessageRecord>> {
  const { database, startMessages, secretSealer, webhookAllowedHosts, gathering, hashNumber, now } =
    dependencies;
  const storeBy = (write: (db: Sql, drafts: KeyedDraft[]) => Promise<StoredDraft[]>) =>
    createBatcher<KeyedDraft, StoredDraft>({
      run: (drafts) =>
        inSpan(
          'store messages',
          { links: linksTo(drafts.map(({ traceparent }) => traceparent)), parent: undefined },
          () =>
            asTenants(
              database,
              drafts.map(({ organizationId }) => organizationId),
              (db) => write(db, drafts),
            ),
        ),
      maxItems: storedAtOnce,
      gathering,
      isolateFailures: (error) => !isDatabaseUnreachable(error),
    });
  const store = storeBy((db, drafts) => storeMessagesOnce(db, drafts));
  // Messages that are counted wait for the lock of their counts, and so in batches of their own: they delay no others.
  const storeCapped = storeBy((db, drafts) => storeCappedMessages(db, drafts, hashNumber));

  return async (principal, input, keyUse) => {
    const { secret } = input.webhook ?? {};
    const traceparent = activeTraceparent();
    const drafted = draftMessage(principal, input, webhookAllowedHosts, now());
    const draft: MessageDraft = {
      ...drafted,
      recipientHash: await hashNumber(drafted.recipient),
      ...(secret !== undefined && {
        sealedWebhookSecret: secretSealer.seal(principal.organizationId, secret),
      }),
      ...(traceparent !== undefined && { traceparent }),
    };
    const keyed = keyUse ? withStoredAnswer(draft, keyUse) : draft;
    const first = await store(keyed);
    const result = first.outcome === 'capped' ? await storeCapped(keyed) : first;
    switch (result.outcome) {
      case 'stored':
        startMessages({ id: draft.id, organizationId: draft.organizationId, traceparent });
        return { kind: 'made', record: toQueuedRecord(draft, result.sender) };
      case 'replayed':
        return { kind: 'replayed', status: result.status, body: result.body };
      case 'sender_refused':
      case 'recipient_opted_out':
      case 'destination_not_allowed':
      case 'content_refused':
        throw refusalError(result, input.from);
      case 'sending_cap_reached':
        throw capError(result.reached, draft.createdAt);
      case 'capped':
        throw new Error('A message was not counted.');
      case 'key_reused':
        throw keyReused();
      case 'key_in_progress':
        throw keyInProgress();
    }
  };
}

/**
 * A placeholder for the sender, because the response is written before the sender is known. No real value equals it.
 */
const unknownSender = '\0';

/** Adds the response, so that it is stored with the message. */
function withStoredAnswer(draft: MessageDraft, keyUse: IdempotencyKeyUse): KeyedDraft {
  const body = JSON.stringify(toQueuedRecord(draft, unknownSender));
  const [before = '', after = ''] = body.split(JSON.stringify(unknownSender));
  return { ...draft, idempotency: { ...keyUse, status: 202, answer: [before, after] } };
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
