import { LockMode } from '@mikro-orm/postgresql';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { countOccurrences, nextOccurrence } from './recurrence.ts';
import { timetableOf, toScheduleRecords, type ScheduleRecord } from './schedule-record.ts';
import { applyAction, type ScheduleAction } from './schedule-status.ts';
import { MessageSchedule } from './schedule.entity.ts';

/**
 * Pauses, resumes or cancels a schedule, and notifies its workflow after the commit. Errors: not_found, invalid_state.
 *
 * The row is locked, so concurrent calls, and the activity that runs an occurrence, run one after the other.
 */
export async function changeScheduleStatus(
  dependencies: { database: Database; workflows: WorkflowCalls; now: () => Date },
  principal: Principal,
  id: string,
  action: ScheduleAction,
): Promise<ScheduleRecord> {
  const { database, workflows, now } = dependencies;
  const record = await asTenant(database, principal, async (em) => {
    const schedule = await em.findOne(MessageSchedule, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!schedule) throw notFound();
    const outcome = applyAction(schedule.status, action);
    if (!outcome.ok) throw new ApiError('invalid_state', outcome.reason);
    schedule.status = outcome.status;
    if (action === 'resume') skipPassedOccurrences(schedule, now());
    if (action === 'cancel') schedule.nextRunAt = null;
    await em.flush();
    const [changed] = await toScheduleRecords(em, [schedule]);
    return changed!;
  });
  if (record.status === 'active') workflows.start(record);
  else workflows.signalChanged(id);
  return record;
}

/**
 * Skips the occurrences that became due while the schedule was paused; they are never sent. A schedule without further
 * occurrences is completed.
 */
function skipPassedOccurrences(schedule: MessageSchedule, now: Date): void {
  const waiting = schedule.nextRunAt;
  if (waiting && waiting <= now) {
    const timetable = timetableOf(schedule);
    schedule.skippedCount += 1 + countOccurrences(timetable, waiting, now).count;
    schedule.nextRunAt = nextOccurrence(timetable, now);
  }
  schedule.wakeAt = now;
  if (!schedule.nextRunAt) schedule.status = 'completed';
}
