import { v7 as uuidv7 } from 'uuid';
import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { updateStatuses } from '../../src/messages/update-statuses.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { deliveryRows } from '../../src/webhooks/delivery-rows.ts';
import type { TestDatabase } from './databases.ts';

/** Stores a message for each URL, with a delivery of its acceptance there, and creates one dispatch of all of them. */
export async function makeWebhookDispatch(
  { database }: TestDatabase,
  organizationId: string,
  urls: string[],
): Promise<{ dispatchId: string; ids: string[] }> {
  const createdAt = new Date();
  const drafts = urls.map((webhookUrl) => ({
    ...{ id: uuidv7(), organizationId, environment: 'live' as const, sender: null },
    ...{ recipient: '+251911234567', text: 'Selam', encoding: 'gsm7' as const, segments: 1, metadata: {} },
    ...{ webhookUrl, createdAt, validUntil: new Date(createdAt.getTime() + 3_600_000) },
  }));
  await storeMessages(sqlOf(database), drafts);
  const { webhooks } = await updateStatuses(
    database,
    drafts.map(({ id }) => ({
      messageId: id,
      at: createdAt,
      transition: { kind: 'accepted_by_gateway' },
      event: { kind: 'submission_answered', details: {} },
    })),
  );
  const ids = webhooks.map(({ id }) => id);
  return { dispatchId: (await assignRows(sqlOf(database), deliveryRows, ids))!.dispatchId, ids };
}
