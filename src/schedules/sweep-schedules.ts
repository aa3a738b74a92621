import type { WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { startRowWorkflow } from '../dispatches/row-workflows.ts';
import { scheduleWorkflow } from './schedule-workflow.ts';

/** A schedule is overdue when its workflow should have acted this long ago. */
const overdueMs = 10_000;
/** How long one that was started is left alone. */
const restartedMs = 60_000;
/** What one round takes at most, so that a long outage is worked off in even steps. */
const schedulesPerRound = 100;

/**
 * Starts the workflows of active schedules that did not act when they should have: their start failed, or
 * Temporal lost them. One that runs is only woken. Any number of workers sweep.
 */
export async function startOverdueSchedules(
  dependencies: { database: Database; workflowClient: WorkflowClient; log: Log },
  now: Date = new Date(),
): Promise<void> {
  const { database, workflowClient, log } = dependencies;
  const { rows } = await sql<{ id: string; organizationId: string }>`
    with overdue as (
      select id from message_schedules
      where status = 'active' and wake_at < ${new Date(now.getTime() - overdueMs)}
      order by wake_at limit ${schedulesPerRound} for update skip locked
    )
    update message_schedules set wake_at = ${new Date(now.getTime() + restartedMs)}
    from overdue where message_schedules.id = overdue.id
    returning message_schedules.id, organization_id as "organizationId"
  `.execute(sqlOf(database));
  await Promise.all(
    rows.map(async (schedule) => {
      await startRowWorkflow(workflowClient, scheduleWorkflow, schedule);
      log.info({ scheduleId: schedule.id }, 'the sweep saw to an overdue schedule');
    }),
  );
}
