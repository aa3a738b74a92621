import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { findContentRefusal } from '../content-rules/find-content-refusal.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { contentError, draftMessage, senderError } from '../messages/draft-message.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { findOrganizationTimezone } from '../organizations/timezone.ts';
import { findPermittedSender } from '../sender-ids/permitted-sender.ts';
import { readTimetable } from './read-timetable.ts';
import { toScheduleRecords, type ScheduleRecord } from './schedule-record.ts';
import { MessageSchedule } from './schedule.entity.ts';

/**
 * Creates a schedule and starts its workflow without waiting for it. If the start fails, the sweep starts it. Errors:
 * invalid_request, invalid_recipient, sender_required, sender_not_approved, content_refused.
 */
export async function scheduleMessage(
  dependencies: { database: Database; workflows: WorkflowCalls; now: () => Date },
  principal: Principal,
  input: Schemas['MessageScheduleInput'],
): Promise<ScheduleRecord> {
  const createdAt = dependencies.now();
  const { startsAt, endsAt, timezone, recurrence } = readTimetable(input, createdAt);
  const { to, text, from } = input;
  const { recipient, sender } = draftMessage(principal, { to, text, from }, [], createdAt);
  const record = await asTenant(dependencies.database, principal, async (em) => {
    // The same checks that apply when the message of each occurrence is stored, made early.
    const db = em.getKysely<unknown>();
    if ((await findPermittedSender(db, principal, sender)) === null) throw senderError(from);
    const refusal = await findContentRefusal(db, { ...principal, text });
    if (refusal !== null) throw contentError(refusal);
    const schedule = em.create(MessageSchedule, {
      id: uuidv7(),
      organization: principal.organizationId,
      environment: principal.environment,
      sender,
      recipient,
      text,
      startsAt,
      endsAt,
      timezone: timezone ?? (await findOrganizationTimezone(em, principal.organizationId)),
      recurrenceUnit: recurrence?.unit ?? null,
      recurrenceInterval: recurrence?.interval ?? null,
      status: 'active',
      nextRunAt: startsAt,
      lastRunAt: null,
      wakeAt: createdAt,
      createdAt,
    });
    await em.flush();
    const [made] = await toScheduleRecords(em, [schedule]);
    return made!;
  });
  dependencies.workflows.start(record);
  return record;
}
