import { sql } from 'kysely';
import {
  discardingWorkflowType,
  erasureWorkflowIdOf,
  retentionWorkflowIdOf,
  type DiscardingInput,
} from '../../workflows/contract.ts';
import type { RowWorkflow } from '../dispatches/row-workflows.ts';

/** The workflow that applies the retention rules of an organization. When it has ended, the row wakes a day later. */
export const retentionWorkflow: RowWorkflow = {
  type: discardingWorkflowType,
  workflowIdOf: retentionWorkflowIdOf,
  inputOf: ({ id }): DiscardingInput => ({ kind: 'retention', id }),
  kind: 'retention',
  rowName: 'retention',
  idName: 'retentionId',
  table: sql`retention_rules`,
  open: sql`wake_at is not null`,
  overdueSeconds: 0,
  awaitsChanges: false,
};

/** The workflow that erases a number. */
export const erasureWorkflow: RowWorkflow = {
  type: discardingWorkflowType,
  workflowIdOf: erasureWorkflowIdOf,
  inputOf: ({ id }): DiscardingInput => ({ kind: 'erasure', id }),
  kind: 'erasures',
  rowName: 'erasure',
  idName: 'erasureId',
  table: sql`erasures`,
  open: sql`wake_at is not null`,
  overdueSeconds: 0,
  awaitsChanges: false,
};
