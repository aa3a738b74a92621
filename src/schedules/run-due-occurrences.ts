import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ScheduleProgress } from '../../workflows/contract.ts';
import { tablesOf, type Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { draftMessage, refusalError } from '../messages/draft-message.ts';
import { storeMessages, type MessageDraft } from '../messages/store-messages.ts';
import { scheduleMissed } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { recordset } from '../recordset.ts';
import { latenessAllowedMs, sortDueRuns, type DueRuns } from './due-runs.ts';
import { timetableOf } from './schedule-record.ts';
import type { ScheduleRun } from './schedule-run.entity.ts';
import { MessageSchedule } from './schedule.entity.ts';

/**
 * Creates the function that does the work of `runSchedule`: it creates the messages of the occurrences that are due,
 * and returns when the next one is due. For a schedule that is deleted, paused or ended, it returns that there is none.
 *
 * One transaction contains everything that an occurrence changes, so a process that dies leaves it either done or not
 * done. An occurrence is claimed by its key in schedule_runs, so it runs only once, however many calls run
 * concurrently. The dispatch of the messages is started after the commit. If the process dies before that, the sweep
 * finds them.
 */
export function createRunDueOccurrences(dependencies: {
  database: Database;
  startMessages: (row: DispatchRow) => void;
  /** The maximum delay with which an occurrence is still sent. An hour by default. */
  latenessMs?: number;
  hashNumber: HashNumber;
  now: () => Date;
}): (scheduleId: string) => Promise<ScheduleProgress> {
  const { database, startMessages, latenessMs = latenessAllowedMs, hashNumber, now } = dependencies;
  return async (scheduleId) => {
    const found = await findOwner(database, scheduleId);
    if (!found) return deletedSchedule;
    const organizationId = found.organization;
    const recipientHash = await hashNumber(found.recipient);
    const scope = { organizationId, visibleEnvironments: environments };
    const { progress, messageIds } = await asTenant(database, scope, (em) =>
      run(em, { id: scheduleId, recipientHash }, now(), latenessMs),
    );
    for (const id of messageIds) startMessages({ id, organizationId });
    return progress;
  };
}

const deletedSchedule: ScheduleProgress = { status: 'deleted', nextRunAt: null, counts: {} };

async function findOwner(database: Database, scheduleId: string) {
  return tablesOf<typeof MessageSchedule>(database.em)
    .selectFrom('MessageSchedule')
    .select(['organization', 'recipient'])
    .where('id', '=', scheduleId)
    .executeTakeFirst();
}

async function run(
  em: ScopedEntityManager,
  { id, recipientHash }: { id: string; recipientHash: string },
  now: Date,
  latenessMs: number,
): Promise<{ progress: ScheduleProgress; messageIds: string[] }> {
  const schedule = await em.findOne(MessageSchedule, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!schedule) return { progress: deletedSchedule, messageIds: [] };
  if (schedule.status !== 'active' || !schedule.nextRunAt)
    return { progress: progressOf(schedule), messageIds: [] };

  const runs = sortDueRuns(timetableOf(schedule), schedule.nextRunAt, now, latenessMs);
  const messageIds = await createMessages(em, { schedule, recipientHash }, runs.due, now);
  if (runs.missed) await recordMissed(em, schedule, runs.missed, now);
  schedule.lastRunAt = runs.due.at(-1) ?? schedule.lastRunAt;
  schedule.nextRunAt = runs.next;
  schedule.wakeAt = runs.next;
  if (!runs.next) schedule.status = 'completed';
  await em.flush();
  return { progress: progressOf(schedule), messageIds };
}

/** Claims the occurrences and stores a message for each. Returns the ids of the stored messages. */
async function createMessages(
  em: ScopedEntityManager,
  { schedule, recipientHash }: { schedule: MessageSchedule; recipientHash: string },
  due: Date[],
  now: Date,
): Promise<string[]> {
  if (due.length === 0) return [];
  const db = em.getKysely<unknown>();
  const drafts = due.map((dueAt) => ({
    dueAt,
    draft: { ...draftOccurrence(schedule, dueAt, now), recipientHash },
  }));
  const claimed = await tablesOf<typeof ScheduleRun>(em)
    .insertInto('ScheduleRun')
    .values(
      drafts.map(({ dueAt, draft }) => ({
        schedule: schedule.id,
        dueAt,
        organizationId: schedule.organization.id,
        outcome: 'created',
        lastDueAt: dueAt,
        messageId: draft.id,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('messageId')
    .execute();
  const claimedIds = new Set(claimed.map(({ messageId }) => messageId));
  const claimedDrafts = drafts.map(({ draft }) => draft).filter((draft) => claimedIds.has(draft.id));
  const outcomes = claimedDrafts.length > 0 ? await storeMessages(db, claimedDrafts) : [];
  const stored = claimedDrafts
    .filter((_, index) => outcomes[index]!.outcome === 'stored')
    .map((draft) => draft.id);
  const refused = claimedDrafts.flatMap((draft, index) => {
    const outcome = outcomes[index]!;
    if (outcome.outcome === 'stored') return [];
    const error = refusalError(outcome, schedule.sender ?? undefined);
    return { id: draft.id, code: error.code };
  });
  if (refused.length > 0) {
    await sql`
      update schedule_runs set outcome = 'failed', message_id = null, error_code = refusal.code
      from ${recordset(refused, 'refusal', { id: 'uuid', code: 'text' })}
      where schedule_id = ${schedule.id} and message_id = refusal.id
    `.execute(db);
  }
  schedule.createdCount += stored.length;
  schedule.failedCount += claimedDrafts.length - stored.length;
  return stored;
}

/** Creates the draft for an occurrence. It must not be submitted more than an hour late. */
function draftOccurrence(schedule: MessageSchedule, dueAt: Date, now: Date): MessageDraft {
  const { recipient: to, text, sender, environment } = schedule;
  const owner = { organizationId: schedule.organization.id, environment };
  const draft = draftMessage(owner, { to, text, ...(sender !== null && { from: sender }) }, [], now);
  return { ...draft, validUntil: new Date(dueAt.getTime() + latenessAllowedMs) };
}

/** Records consecutive missed occurrences as one row, and creates one notification for them. */
async function recordMissed(
  em: ScopedEntityManager,
  schedule: MessageSchedule,
  missed: NonNullable<DueRuns['missed']>,
  now: Date,
): Promise<void> {
  const stored = await tablesOf<typeof ScheduleRun>(em)
    .insertInto('ScheduleRun')
    .values({
      schedule: schedule.id,
      dueAt: missed.first,
      organizationId: schedule.organization.id,
      outcome: 'missed',
      occurrences: missed.count,
      lastDueAt: missed.last,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('dueAt')
    .execute();
  if (stored.length === 0) return;
  schedule.missedCount += missed.count;
  const { id: scheduleId, environment, timezone } = schedule;
  const event = scheduleMissed({
    ...missed,
    scheduleId,
    organizationId: schedule.organization.id,
    environment,
    timezone,
  });
  await recordNotifications(em.getKysely(), [event], now);
}

function progressOf(schedule: MessageSchedule): ScheduleProgress {
  const { status, nextRunAt, createdCount, failedCount, missedCount, skippedCount } = schedule;
  return {
    status,
    nextRunAt: status === 'active' ? (nextRunAt?.toISOString() ?? null) : null,
    counts: { created: createdCount, failed: failedCount, missed: missedCount, skipped: skippedCount },
  };
}
