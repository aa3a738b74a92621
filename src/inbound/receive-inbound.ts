import { sql } from 'kysely';
import { isDatabaseUnreachable, sqlOf, type Database } from '../database.ts';
import { createBatcher, type Gathering } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { toStorable } from '../http/storable-values.ts';
import { recordset, type Columns } from '../recordset.ts';
import { makeDeduplicationKey } from './deduplication-key.ts';
import type { GatewayMessage } from './gateway-message.ts';
import { readNumber } from './read-number.ts';
import { makeTimeOrderedId } from '../time-ordered-id.ts';

/** The maximum number of messages that one statement stores. */
const storedAtOnce = 200;

/**
 * Creates the function that handles GET /api/v1/gateway/mo: it stores a mobile-originated message and starts its
 * handling. It resolves after the commit. A repeated callback, even a concurrent one, stores nothing more: of several
 * rows with the same deduplication key, only the first is stored.
 */
export function createReceiveInbound(dependencies: {
  database: Database;
  startInbound: (row: DispatchRow) => void;
  gathering: Gathering;
  now: () => Date;
}): (message: GatewayMessage) => Promise<void> {
  const { database, startInbound, gathering, now } = dependencies;
  const store = createBatcher<NewInbound, void>({
    maxItems: storedAtOnce,
    gathering,
    run: async (rows) => {
      const stored = await insertOnce(database, rows);
      stored.forEach((id) => startInbound({ id, organizationId: null }));
      return rows.map(() => undefined);
    },
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });
  return (message) => store(toRow(message, now()));
}

interface NewInbound {
  id: string;
  sender: string;
  recipient: string;
  text: string;
  smscId: string | null;
  providerMessageId: string | null;
  /** Hex. */
  deduplicationKey: string;
  createdAt: Date;
}

function toRow(given: GatewayMessage, createdAt: Date): NewInbound {
  const message = {
    from: readNumber(toStorable(given.from)),
    to: readNumber(toStorable(given.to)),
    text: toStorable(given.text),
    smscId: toStorable(given.smscId ?? ''),
    providerMessageId: toStorable(given.providerMessageId ?? ''),
    timestamp: toStorable(given.timestamp ?? ''),
  };
  return {
    id: makeTimeOrderedId(createdAt),
    sender: message.from,
    recipient: message.to,
    text: message.text,
    smscId: message.smscId || null,
    providerMessageId: message.providerMessageId || null,
    deduplicationKey: makeDeduplicationKey(message, createdAt).toString('hex'),
    createdAt,
  };
}

const inboundColumns: Columns<NewInbound> = {
  id: 'uuid',
  sender: 'text',
  recipient: 'text',
  text: 'text',
  smscId: 'text',
  providerMessageId: 'text',
  deduplicationKey: 'text',
  createdAt: 'timestamptz',
};

/** @returns the ids of the messages that were not stored before */
async function insertOnce(database: Database, rows: NewInbound[]): Promise<string[]> {
  // In the order of their keys, so that two processes that receive the same messages never deadlock.
  const ordered = rows.toSorted((one, other) => (one.deduplicationKey < other.deduplicationKey ? -1 : 1));
  const { rows: stored } = await sql<{ id: string }>`
    insert into inbound_messages (
      id, sender, recipient, text, smsc_id, provider_message_id, deduplication_key, status, created_at, due_at
    )
    select id, sender, recipient, text, "smscId", "providerMessageId", decode("deduplicationKey", 'hex'),
      'received', "createdAt", "createdAt"
    from ${recordset(ordered, 'message', inboundColumns)}
    on conflict (deduplication_key) do nothing
    returning id
  `.execute(sqlOf(database));
  return stored.map(({ id }) => id);
}
