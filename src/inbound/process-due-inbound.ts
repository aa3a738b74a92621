import { sql } from 'kysely';
import type { DispatchProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import { recordProgress } from '../dispatches/dispatch-progress.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { WorkContext } from '../dispatches/process-concurrently.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { markFailed, handleMessage } from './handle-message.ts';
import { inboundRows } from './inbound-rows.ts';

/** How many messages are claimed at a time, and for how long: many times longer than it takes to handle them. */
const claimedAtOnce = 20;
const claimSeconds = 30;

/** How often a message is tried. Each try ended early, by a crash or by an error of the service itself. */
const attemptsAtMost = 10;

/**
 * Creates the function that runs `handleInbound`. It handles the due messages of a dispatch in the order of arrival,
 * because a phone may send STOP and START one after the other. A claim is written before the work, so a message whose
 * handling breaks off is tried again after its claim expires. A message that cannot be handled does not delay others.
 */
export function createProcessDueInbound(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  startWebhooks: (row: DispatchRow) => void;
  hashNumber: HashNumber;
  now: () => Date;
}): (dispatchId: string, context: WorkContext) => Promise<DispatchProgress> {
  const { database, startMessages, startWebhooks, hashNumber, now } = dependencies;

  async function handle({ id, sender, attempts }: Claimed): Promise<void> {
    if (attempts > attemptsAtMost) return markFailed(database, id, now());
    const started = await handleMessage(database, { id, senderHash: await hashNumber(sender) }, now());
    if (started?.reply) startMessages(started.reply);
    if (started?.webhook) startWebhooks(started.webhook);
  }

  return async (dispatchId, context) => {
    const failures: unknown[] = [];
    for (;;) {
      const claimed = context.stopping() ? [] : await claim(database, dispatchId, now());
      if (claimed.length === 0) break;
      for (const one of claimed) {
        context.heartbeat();
        await handle(one).catch((error: unknown) => void failures.push(error));
      }
    }
    if (failures.length > 0) throw failures[0];
    return recordProgress(sqlOf(database), inboundRows, dispatchId, now());
  };
}

interface Claimed {
  id: string;
  sender: string;
  attempts: number;
}

async function claim(database: Database, dispatchId: string, now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select id from inbound_messages
      where dispatch_id = ${dispatchId} and status in ('received', 'processing') and due_at <= ${now}
      order by id limit ${claimedAtOnce} for no key update skip locked
    )
    update inbound_messages set
      status = 'processing', attempts = attempts + 1,
      due_at = ${now}::timestamptz + make_interval(secs => ${claimSeconds})
    from due where inbound_messages.id = due.id
    returning inbound_messages.id, inbound_messages.sender, attempts
  `.execute(sqlOf(database));
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
