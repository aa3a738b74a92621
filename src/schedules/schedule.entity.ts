import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';
import { recurrenceUnits } from './recurrence.ts';
import { scheduleStatuses } from './schedule-status.ts';

/**
 * A message that is sent at one time, or repeatedly.
 *
 * `nextRunAt` is the first occurrence without an outcome; null once the schedule is completed or cancelled. `wakeAt` is
 * when the workflow of an active schedule is next expected to act. An overdue workflow was never started, was lost with
 * Temporal's database, or has no worker: the sweep starts it again.
 */
export const MessageSchedule = defineEntity({
  name: 'MessageSchedule',
  tableName: 'message_schedules',
  ...ofOrganizationAndEnvironment,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    environment: p.enum(environments),
    /** The caller's value; null selects the default sender at the time of each occurrence. */
    sender: p.string().columnType('text').strictNullable(),
    recipient: p.string().columnType('text'),
    text: p.string().columnType('text'),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3).strictNullable(),
    timezone: p.string().columnType('text'),
    /** Both are null for a schedule that runs once. */
    recurrenceUnit: p.enum(recurrenceUnits).strictNullable(),
    recurrenceInterval: p.smallint().strictNullable(),
    status: p.enum(scheduleStatuses),
    nextRunAt: p.datetime(3).strictNullable(),
    lastRunAt: p.datetime(3).strictNullable(),
    createdCount: p.integer().default(0),
    failedCount: p.integer().default(0),
    missedCount: p.integer().default(0),
    skippedCount: p.integer().default(0),
    wakeAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    { name: 'message_schedules_list', properties: ['organization', 'environment', 'id'] },
    { name: 'message_schedules_overdue', properties: ['wakeAt'], where: `status = 'active'` },
  ],
});

export type MessageSchedule = InferEntity<typeof MessageSchedule>;
