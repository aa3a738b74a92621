import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findWorkflowFaults, type WorkflowFaults } from './find-workflow-faults.ts';
import { linkNames, processNames, receiverFaults, reportFaults } from './plan.ts';
import type { Clients } from './clients/run-clients.ts';
import type { World } from './world/world.ts';

export interface Settled {
  /** What was still open when the time was over. */
  unsettled: string[];
  seconds: number;
  /** How many waits of minutes or hours were cut short. */
  shortened: number;
  workflows: WorkflowFaults;
}

/** Ends every fault, also one whose end was missed because its process was not running. */
export async function heal({ links, gateway, receivers, disk, clocks, processId }: World): Promise<void> {
  disk?.empty();
  for (const clock of Object.values(clocks)) clock?.step(0);
  for (const fault of reportFaults) gateway.relay.setFault(fault, false);
  for (const fault of receiverFaults) receivers.setFault(fault, false);
  for (const name of linkNames) await links[name].heal();
  for (const name of processNames) {
    const id = processId(name);
    if (id !== undefined) process.kill(id, 'SIGCONT');
  }
}

const lookEveryMs = 1000;
const showEveryMs = 5000;
const shortenEveryMs = 4000;

/**
 * Waits until nothing is open: no client, no report, no row, and no workflow too many or too few.
 *
 * @param options.timeoutSeconds after which whatever is open counts as stuck
 * @param options.show receives a line about the progress every few seconds
 */
export async function settle(
  world: World,
  clients: Clients,
  options: { timeoutSeconds: number; wasWiped: boolean; show: (line: string) => void },
): Promise<Settled> {
  const { timeoutSeconds, wasWiped, show } = options;
  const startedAtMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedAtMs;
  const connection = await Connection.connect({ address: world.temporal.address, connectTimeout: '60s' });
  const temporal = new Client({ connection });
  let [shownAtMs, shortenedAtMs, shortened] = [0, 0, 0];
  let open: string[] = [];
  let workflows: WorkflowFaults = { idle: [], missing: [] };
  for (;;) {
    try {
      if (elapsedMs() - shortenedAtMs > shortenEveryMs) {
        shortenedAtMs = elapsedMs();
        shortened += await shortenWaits(world, temporal);
      }
      open = await describeOpen(world, clients);
      workflows = open.length > 0 ? workflows : await findWorkflowFaults(temporal, world.database, wasWiped);
      if (open.length === 0) open = [...workflows.idle, ...workflows.missing].map((id) => `workflow ${id}`);
    } catch (error) {
      open = [String(error)];
    }
    if (open.length === 0 || elapsedMs() > timeoutSeconds * 1000) break;
    if (elapsedMs() - shownAtMs > showEveryMs) {
      shownAtMs = elapsedMs();
      show(`${(elapsedMs() / 1000).toFixed(0).padStart(4)} s  open: ${open.slice(0, 8).join(', ')}`);
    }
    await sleep(lookEveryMs);
  }
  await connection.close();
  return { unsettled: open, seconds: elapsedMs() / 1000, shortened, workflows };
}

/** What is open, as `3 messages`. */
async function describeOpen(world: World, clients: Clients): Promise<string[]> {
  const { rows } = await world.database.query<Record<string, number>>(`
    select
      (select count(*)::int from messages where status in ('queued', 'accepted', 'sent')) as messages,
      (select count(*)::int from webhook_deliveries where status <> 'delivered') as webhooks,
      (select count(*)::int from bulk_batches where status not in ('completed', 'cancelled', 'failed')) as batches,
      (select count(*)::int from inbound_messages where status in ('received', 'processing')) as inbound,
      (select count(*)::int from message_schedules where status = 'active') as schedules`);
  const counts = {
    ...{ clients: clients.countWaiting(), reports: world.gateway.relay.countWaiting() },
    ...rows[0]!,
  };
  return Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
}

/** A longer wait than this is cut short. Others are waited for. */
const longestWaitSeconds = 15;

/**
 * Makes due at once what waits for longer than a run lasts: webhooks that have failed twice, messages that failed to be
 * submitted several times, messages whose reports were lost, which wait for 72 hours, and whatever a process with a
 * clock that is ahead has made due later. Their workflows sleep until the time that was set before, so they are
 * terminated, and the sweep starts them again.
 *
 * @returns how many waits were cut short
 */
async function shortenWaits({ database, gateway }: World, temporal: Client): Promise<number> {
  const lost = gateway.relay.reports.flatMap(({ messageId, lost: isLost }) => (isLost ? [messageId] : []));
  const statements: [kind: string, statement: string, parameters: unknown[]][] = [
    [
      'webhooks',
      // A claim postpones a delivery too; its attempt may be in progress.
      `update webhook_deliveries delivery set due_at = now()
        where status in ('pending', 'retrying') and due_at > now() + make_interval(secs => $1)
          and not exists (
            select from webhook_attempts where delivery_id = delivery.id and duration_ms is null
              and number = delivery.attempts and started_at > now() - interval '30 seconds'
          )
        returning dispatch_id as id`,
      [longestWaitSeconds],
    ],
    [
      'messages',
      `update messages set due_at = now()
        where due_at > now() + make_interval(secs => $1)
          and (status = 'queued' or (status in ('accepted', 'sent') and id = any($2::uuid[])))
        returning dispatch_id as id`,
      [longestWaitSeconds, gateway.relay.countWaiting() === 0 ? lost : []],
    ],
    [
      'inbound',
      `update inbound_messages set due_at = now()
        where status = 'received' and due_at > now() + make_interval(secs => $1)
        returning dispatch_id as id`,
      [longestWaitSeconds],
    ],
  ];
  let shortened = 0;
  for (const [kind, statement, parameters] of statements) {
    const { rows } = await database.query<{ id: string | null }>(statement, parameters);
    shortened += rows.length;
    await restartDispatches(database, temporal, kind, [...new Set(rows.flatMap(({ id }) => id ?? []))]);
  }
  return shortened + (await hastenSignals(database));
}

/**
 * A process that died between the last report of a dispatch and the signal to its workflow leaves a dispatch that the
 * sweep looks at within an hour. It looks at once.
 */
async function hastenSignals(database: Pool): Promise<number> {
  const { rowCount } = await database.query(
    `update dispatches set wake_at = now() - interval '11 seconds'
      where settled_at is null and wake_at > now() + make_interval(secs => $1) and (
        kind = 'messages' and not exists (
          select from messages where dispatch_id = dispatches.id and status in ('queued', 'accepted', 'sent')
        ) or kind = 'security-codes' and not exists (
          select from security_codes where dispatch_id = dispatches.id and status = 'pending'
        )
      )`,
    [longestWaitSeconds],
  );
  return rowCount ?? 0;
}

async function restartDispatches(
  database: Pool,
  temporal: Client,
  kind: string,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await Promise.all(
    ids.map(async (id) => {
      try {
        await temporal.workflow.getHandle(`${kind}/${id}`).terminate('The wait is cut short.');
      } catch (error) {
        // A wipe may have lost it.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    }),
  );
  await database.query(
    `update dispatches set wake_at = now() - interval '11 seconds' where id = any($1::uuid[]) and kind = $2`,
    [ids, kind],
  );
}
