import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';

export interface WorkflowFaults {
  /** Running workflows whose rows are all final. */
  idle: string[];
  /** Workflows that should run, because they have open rows, and do not. */
  missing: string[];
}

/** After a wipe, the sweep looks at a dispatch when it should have acted: up to an hour later, and again after a minute. */
const overdueSeconds = 90;

/**
 * Compares the running workflows with the rows that are open.
 *
 * @param wasWiped Temporal has lost its database: a workflow may then be missing until it is overdue
 */
export async function findWorkflowFaults(
  temporal: Client,
  database: Pool,
  wasWiped: boolean,
): Promise<WorkflowFaults> {
  const { rows } = await database.query<{ id: string; isOverdue: boolean }>(
    `select kind || '/' || dispatches.id as id, wake_at < now() - make_interval(secs => $1) as "isOverdue"
     from dispatches
     join lateral (
       select dispatch_id from messages
         where kind = 'messages' and dispatch_id = dispatches.id and status in ('queued', 'accepted', 'sent')
       union all
       select dispatch_id from webhook_deliveries
         where kind = 'webhooks' and dispatch_id = dispatches.id and status in ('pending', 'retrying')
       union all
       select dispatch_id from security_codes
         where kind = 'security-codes' and dispatch_id = dispatches.id and status = 'pending'
       union all
       select dispatch_id from inbound_messages
         where kind = 'inbound' and dispatch_id = dispatches.id and status in ('received', 'processing')
     ) open on true
     group by 1, 2
     union all
     select 'bulk-sms/' || id, true from bulk_batches where status not in ('completed', 'cancelled', 'failed')
     union all
     select 'schedules/' || id, true from message_schedules where status = 'active'`,
    [overdueSeconds],
  );
  const running = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    running.add(workflowId);
  }
  const wanted = new Set(rows.map(({ id }) => id));
  return {
    idle: [...running].filter((id) => !wanted.has(id)),
    missing: rows.flatMap(({ id, isOverdue }) => (running.has(id) || (wasWiped && !isOverdue) ? [] : [id])),
  };
}
