import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { inboundRows } from '../../src/inbound/inbound-rows.ts';
import { createProcessDueInbound } from '../../src/inbound/process-due-inbound.ts';
import { gatewayToken, type Answer, type TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';
import { until } from './until.ts';
import { createTestHash } from './hash-number.ts';

/** The parameters that the gateway sends for a message from a phone. */
export interface Callback {
  from: string;
  to: string;
  text: string;
  smscId?: string;
  providerMessageId?: string;
  timestamp?: string;
}

let callbacks = 0;

/** Calls the gateway's callback, with the given id or a new one. */
export function giveMessage(api: TestApi, callback: Callback): Promise<Answer> {
  callbacks += 1;
  const query = new URLSearchParams({
    token: gatewayToken,
    providerMessageId: `callback-${callbacks}`,
    ...callback,
  });
  return api.call('GET', `/api/v1/gateway/mo?${query.toString()}`);
}

/** Processes all waiting messages, as `handleInbound` does. */
export async function processWaiting(db: TestDatabase, now = () => new Date()): Promise<void> {
  const processDue = createProcessDueInbound({
    database: db.database,
    hashNumber: createTestHash(db.database),
    startMessages: () => undefined,
    startWebhooks: () => undefined,
    now,
  });
  await until('all messages to be assigned to dispatches', async () => {
    const waiting = await db.query<{ id: string }>(
      `select id from inbound_messages where status = 'received' and dispatch_id is null`,
    );
    // Independent of the API, whose assignments wait for starts that fail while Temporal is down.
    await assignRows(
      sqlOf(db.database),
      inboundRows,
      waiting.map(({ id }) => id),
    );
    return waiting.length === 0;
  });
  const dispatches = await db.query<{ id: string }>(
    `select distinct dispatch_id as id from inbound_messages where status in ('received', 'processing') order by 1`,
  );
  for (const { id } of dispatches)
    await processDue(id, { heartbeat: () => undefined, stopping: () => false });
}

/** Approves a number or short code for an organization. */
export async function approveNumber(db: TestDatabase, organizationId: string, value: string): Promise<void> {
  await db.query(
    `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
      values (gen_random_uuid(), ?, ?, 'approved', false, 'x', 'x', now())`,
    [organizationId, value],
  );
}
