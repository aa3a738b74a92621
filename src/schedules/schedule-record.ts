import { sql } from 'kysely';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { toIsoTime } from '../stored-rows.ts';
import { listOccurrences, type Timetable } from './recurrence.ts';
import type { MessageSchedule } from './schedule.entity.ts';

export type ScheduleRecord = Schemas['MessageSchedule'];

type ScheduleRunRecord = Schemas['MessageScheduleRun'];

/** The number of past runs, and of upcoming runs, that a record shows. */
const shownRuns = 5;

export function timetableOf(schedule: MessageSchedule): Timetable {
  const { startsAt, endsAt, timezone, recurrenceUnit: unit, recurrenceInterval: interval } = schedule;
  return { startsAt, endsAt, timezone, recurrence: unit && interval ? { unit, interval } : null };
}

/** Creates the records of schedules. One statement reads the last runs of all of them. */
export async function toScheduleRecords(
  em: ScopedEntityManager,
  schedules: MessageSchedule[],
): Promise<ScheduleRecord[]> {
  const runs = await readLastRuns(
    em,
    schedules.map(({ id }) => id),
  );
  return schedules.map((schedule) => toRecord(schedule, runs.get(schedule.id) ?? []));
}

function toRecord(schedule: MessageSchedule, lastRuns: ScheduleRunRecord[]): ScheduleRecord {
  const timetable = timetableOf(schedule);
  const next = schedule.status === 'active' ? schedule.nextRunAt : null;
  const upcoming = next ? [next, ...listOccurrences(timetable, next, shownRuns - 1)] : [];
  return {
    id: schedule.id,
    organizationId: schedule.organization.id,
    environment: schedule.environment,
    to: schedule.recipient,
    text: schedule.text,
    from: schedule.sender,
    scheduleType: timetable.recurrence ? 'recurring' : 'once',
    startsAt: schedule.startsAt.toISOString(),
    endsAt: schedule.endsAt?.toISOString() ?? null,
    timezone: schedule.timezone,
    recurrence: timetable.recurrence,
    status: schedule.status,
    nextRunAt: next?.toISOString() ?? null,
    upcomingRuns: upcoming.map((at) => at.toISOString()),
    lastRunAt: schedule.lastRunAt?.toISOString() ?? null,
    lastRuns,
    counts: {
      created: schedule.createdCount,
      failed: schedule.failedCount,
      missed: schedule.missedCount,
      skipped: schedule.skippedCount,
    },
    createdAt: schedule.createdAt.toISOString(),
  };
}

async function readLastRuns(
  em: ScopedEntityManager,
  ids: string[],
): Promise<Map<string, ScheduleRunRecord[]>> {
  const { rows } = await sql<ScheduleRunRecord & { scheduleId: string }>`
    select schedule.id as "scheduleId", run.due_at as "dueAt", outcome, occurrences, last_due_at as "lastDueAt",
      message_id as "messageId", messages.status as "messageStatus", run.error_code as "errorCode"
    from unnest(${ids}::uuid[]) as schedule (id)
    cross join lateral (
      select * from schedule_runs where schedule_id = schedule.id order by due_at desc limit ${shownRuns}
    ) run
    left join messages on messages.id = run.message_id
    order by run.due_at desc
  `.execute(em.getKysely<unknown>());
  const runs = new Map<string, ScheduleRunRecord[]>(ids.map((id) => [id, []]));
  for (const { scheduleId, ...run } of rows) {
    runs.get(scheduleId)?.push({
      ...run,
      dueAt: toIsoTime(run.dueAt),
      lastDueAt: toIsoTime(run.lastDueAt),
    });
  }
  return runs;
}
