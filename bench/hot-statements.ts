import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { foldCounts } from '../src/analytics/fold-counts.ts';
import { getAnalytics } from '../src/analytics/get-analytics.ts';
import { sqlOf, type Database } from '../src/database.ts';
import { assignRows } from '../src/dispatches/assign-rows.ts';
import { draftMessage } from '../src/messages/draft-message.ts';
import { getMessage } from '../src/messages/get-message.ts';
import { listMessages } from '../src/messages/list-messages.ts';
import { messageRows } from '../src/messages/message-rows.ts';
import type { MessageTransition } from '../src/messages/message-status.ts';
import { storeMessagesOnce, type KeyedDraft } from '../src/messages/store-messages.ts';
import { claimDueMessages } from '../src/messages/submission/claim-due-messages.ts';
import { getTimeline } from '../src/messages/timeline/get-timeline.ts';
import { updateStatuses } from '../src/messages/update-statuses.ts';
import { asTenants } from '../src/organizations/organization-scope.ts';
import type { Principal } from '../src/principal.ts';

/** What is measured, as it is named in the results. */
export const hotStatements = {
  store: 'Storing a group of 200 messages',
  assign: 'Assigning 200 messages to a dispatch',
  claim: 'Claiming 32 messages',
  update: 'Updating the statuses of 200 messages',
  list: 'Reading a page of 50 messages',
  read: 'Reading a message with its timeline',
  overview: 'Reading an overview of 30 days',
  repeat: 'Repeating a request with its idempotency key',
};

export type HotStatement = keyof typeof hotStatements;

/** A database with messages, one of its organizations, and the ids of some of its messages. */
export interface Bed {
  database: Database;
  organizationId: string;
  messageIds: string[];
}

/** Chooses messages of the organization, of its whole year. */
export async function makeBed(database: Database, organizationId: string): Promise<Bed> {
  const { rows } = await sql<{ id: string }>`
    select id from messages where organization_id = ${organizationId} order by hashtext(id::text) limit 500
  `.execute(sqlOf(database));
  return { database, organizationId, messageIds: rows.map(({ id }) => id) };
}

/**
 * Lets a group of messages go through their lives, reads, and returns the milliseconds that each hot statement took,
 * with the function and the transaction in which the service runs it.
 */
export async function runHotStatements(bed: Bed): Promise<Record<HotStatement, number>> {
  const written = await writeGroup(bed);
  const read = await readAll(bed);
  await foldCounts(bed.database);
  return { ...written, ...read };
}

const groupSize = 200;
const submittedAtOnce = 32;

async function writeGroup({ database, organizationId }: Bed) {
  const db = sqlOf(database);
  const drafts = Array.from({ length: groupSize }, () => draft(organizationId));
  const store = (given: KeyedDraft[]) =>
    asTenants(database, [organizationId], (connection) => storeMessagesOnce(connection, given));
  const ids = drafts.map(({ id }) => id);
  const stored = await time(() => store(drafts));
  const assigned = await time(() => assignRows(db, messageRows, ids));
  const { dispatchId } = assigned.result!;
  const claim = { isShared: false, dispatchId, now: new Date(), limit: submittedAtOnce, claimSeconds: 90 };
  const claimed = await time(() => claimDueMessages(db, claim));
  if (claimed.result.length !== submittedAtOnce) throw new Error('Too few messages were claimed.');
  await advance(database, ids, { kind: 'accepted_by_gateway' });
  const updated = await time(() =>
    advance(database, ids, { kind: 'report', report: 'delivered', providerMessageId: null }),
  );
  const [keyed] = drafts;
  const keyUse = { key: uuidv7(), route: 'POST /api/v1/messages', digest: '00'.repeat(32), status: 202 };
  const once = (): KeyedDraft => ({
    ...keyed!,
    id: uuidv7(),
    idempotency: { ...keyUse, answer: ['{"from":', '}'] },
  });
  await store([once()]);
  const repeated = await time(() => store([once()]));
  if (repeated.result[0]?.outcome !== 'replayed') throw new Error('A repeated request was not recognized.');
  return {
    ...{ store: stored.ms, assign: assigned.ms, claim: claimed.ms, update: updated.ms, repeat: repeated.ms },
  };
}

function draft(organizationId: string): KeyedDraft {
  const to = `+2519${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const webhook = { url: 'https://hooks.example.com/sms' };
  return draftMessage(
    { organizationId, environment: 'live' },
    { to, text: 'Selam', webhook },
    [],
    new Date(),
  );
}

async function advance(database: Database, ids: string[], transition: MessageTransition): Promise<void> {
  const event = { kind: 'report_received', details: {} } as const;
  const at = new Date();
  await updateStatuses(
    database,
    ids.map((messageId) => ({ messageId, at, transition, event })),
  );
}

async function readAll({ database, organizationId, messageIds }: Bed) {
  const principal: Principal = {
    actor: { kind: 'user', id: organizationId },
    ...{ personId: null, impersonatedBy: null, organizationId, environment: 'live' },
    visibleEnvironments: ['live', 'test'],
  };
  const id = messageIds[Math.floor(Math.random() * messageIds.length)]!;
  const list = await time(() =>
    listMessages(database, principal, {}, { list: 'messages', limit: 50, before: null }),
  );
  const read = await time(async () => {
    await getMessage(database, principal, id);
    await getTimeline(database, principal, id, { list: 'timeline' });
  });
  const overview = await time(() => getAnalytics(database, principal, {}, new Date()));
  return { list: list.ms, read: read.ms, overview: overview.ms };
}

async function time<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}
