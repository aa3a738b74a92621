import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { draftMessage, senderError } from '../messages/draft-message.ts';
import { testSender } from '../messages/store-messages.ts';
import { withinOrganization, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { findOrganizationTimezone } from '../organizations/timezone.ts';
import { SenderId } from '../sender-ids/sender-id.entity.ts';
import { readTimetable, type TimetableInput } from './read-timetable.ts';
import { toScheduleRecords, type ScheduleRecord } from './schedule-record.ts';
import { MessageSchedule } from './schedule.entity.ts';

/** The body of POST /api/v1/messages/schedule, already held against openapi.yaml. */
export interface ScheduleInput extends TimetableInput {
  to: string;
  text: string;
  from?: string;
}

/**
 * Makes a schedule and sets its workflow off, which is not waited for: if that fails, the sweep starts it.
 * Errors: invalid_request, invalid_recipient, sender_required, sender_not_approved.
 */
export async function scheduleMessage(
  dependencies: { database: Database; workflows: WorkflowCalls; now: () => Date },
  principal: Principal,
  input: ScheduleInput,
): Promise<ScheduleRecord> {
  const createdAt = dependencies.now();
  const { startsAt, endsAt, timezone, recurrence } = readTimetable(input, createdAt);
  const { to, text, from } = input;
  const { recipient, sender } = draftMessage(principal, { to, text, from }, [], createdAt);
  const record = await withinOrganization(dependencies.database, principal, async (em) => {
    if (!(await isSenderApproved(em, principal, sender))) throw senderError(from);
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

/** The rule that storing a message holds at each occurrence, asked early. */
async function isSenderApproved(
  em: ScopedEntityManager,
  principal: Principal,
  sender: string | null,
): Promise<boolean> {
  if (principal.environment === 'test' && sender === testSender) return true;
  const which = sender === null ? { isDefault: true } : { value: sender };
  return (await em.count(SenderId, { ...which, status: 'approved' })) > 0;
}
