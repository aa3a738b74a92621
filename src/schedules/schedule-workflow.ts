import { sql } from 'kysely';
import { scheduleWorkflowIdOf, scheduleWorkflowType, type ScheduleInput } from '../../workflows/contract.ts';
import type { RowWorkflow } from '../dispatches/row-workflows.ts';

/** The workflow of a message schedule. */
export const scheduleWorkflow: RowWorkflow = {
  type: scheduleWorkflowType,
  workflowIdOf: scheduleWorkflowIdOf,
  inputOf: ({ id }): ScheduleInput => ({ scheduleId: id }),
  kind: 'schedules',
  rowName: 'message schedule',
  idName: 'scheduleId',
  table: sql`message_schedules`,
  open: sql`status = 'active'`,
  awaitsChanges: true,
};
