import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { MessageSchedule } from './schedule.entity.ts';

/**
 * The outcome of an occurrence. The key ensures that each occurrence runs only once. Consecutive missed occurrences
 * share a row, from `dueAt` to `lastDueAt`.
 */
export const ScheduleRun = defineEntity({
  name: 'ScheduleRun',
  tableName: 'schedule_runs',
  ...ofOrganizationId,
  properties: {
    schedule: () => p.manyToOne(MessageSchedule).primary().deleteRule('cascade'),
    dueAt: p.datetime(3).primary(),
    organizationId: p.uuid(),
    outcome: p.enum([
      'created',
      'failed',
      'missed',
    ] as const satisfies Schemas['MessageScheduleRun']['outcome'][]),
    occurrences: p.integer().default(1),
    lastDueAt: p.datetime(3),
    messageId: p.uuid().strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
  },
});

export type ScheduleRun = InferEntity<typeof ScheduleRun>;
