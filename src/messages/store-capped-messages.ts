import type { Sql } from '../database.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { judgeMessages, lockCounts } from '../sending-controls/count-within-caps.ts';
import type { CountedMessage } from '../sending-controls/sending-caps.ts';
import { storeMessagesOnce, type KeyedDraft, type MessageDraft, type StoredDraft } from './store-messages.ts';

/**
 * Stores live messages of organizations with caps, in the caller's transaction: those within the caps are stored and
 * counted by one statement, and the others are refused. The lock of the counts makes this exact, however many processes
 * store messages of the organization at once.
 *
 * @returns for each draft, in order, the sender it was stored with, or why nothing was stored; never `capped`
 */
export async function storeCappedMessages(
  db: Sql,
  drafts: KeyedDraft[],
  hashNumber: HashNumber,
): Promise<StoredDraft[]> {
  const messages = await Promise.all(drafts.map((draft) => toCounted(draft, hashNumber)));
  const organizationIds = drafts.map(({ organizationId }) => organizationId);
  await lockCounts(db, organizationIds);
  return storeMessagesOnce(db, drafts, await judgeMessages(db, messages));
}

/** Stores one message and counts it if there are caps: for callers with a transaction of their own. */
export async function storeWithinCaps(
  db: Sql,
  draft: MessageDraft,
  hashNumber: HashNumber,
): Promise<StoredDraft> {
  const [stored] = await storeMessagesOnce(db, [draft]);
  if (!stored) throw new Error('One outcome is expected for each draft.');
  if (stored.outcome !== 'capped') return stored;
  return (await storeCappedMessages(db, [draft], hashNumber))[0]!;
}

/** Returns what is counted of a draft. */
export async function toCounted(
  draft: Pick<MessageDraft, 'organizationId' | 'recipient' | 'createdAt'>,
  hashNumber: HashNumber,
): Promise<CountedMessage> {
  const { organizationId, recipient, createdAt } = draft;
  return { organizationId, recipient, recipientHash: await hashNumber(recipient), at: createdAt };
}
