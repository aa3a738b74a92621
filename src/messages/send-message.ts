import type { Principal } from '../auth/principal.ts';
import { isDatabaseUnreachable, type Database } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { withinOrganizations } from '../organizations/organization-scope.ts';
import { draftMessage, optedOutError, senderError, type MessageInput } from './draft-message.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { storeMessages, type MessageDraft, type StoredDraft } from './store-messages.ts';

/** Messages that one statement stores at most. */
const storedAtOnce = 200;

/**
 * Makes the use case of POST /api/v1/messages: stores a message and sets its sending off.
 *
 * It resolves once the message is committed; requests that come together are committed together. The start
 * of its dispatch is not waited for: if that fails, the sweep finds the row.
 *
 * Errors: invalid_recipient, webhook_url_not_allowed, sender_required, sender_not_approved,
 * recipient_opted_out.
 */
export function createSendMessage(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  webhookAllowedHosts: readonly string[];
  now: () => Date;
}): (principal: Principal, input: MessageInput) => Promise<MessageRecord> {
  const { database, startMessages, webhookAllowedHosts, now } = dependencies;
  const store = createBatcher<MessageDraft, StoredDraft>({
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
    const stored = await store(draft);
    if (stored.outcome === 'sender_refused') throw senderError(input.from);
    if (stored.outcome === 'recipient_opted_out') throw optedOutError();
    startMessages({ id: draft.id, organizationId: draft.organizationId });
    return toMessageRecord({
      ...draft,
      sender: stored.sender,
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
