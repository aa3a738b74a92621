import { sql } from 'kysely';
import { redriveWorkflowIdOf, redriveWorkflowType, type RedriveInput } from '../../workflows/contract.ts';
import type { RowWorkflow, WorkflowRow } from '../dispatches/row-workflows.ts';
import type { RedriveKind } from './redrive.entity.ts';

/** The workflow of a redrive. Each page sets the time of the next one, and reads whether the redrive was cancelled. */
export const redriveWorkflow: RowWorkflow<WorkflowRow & { kind: RedriveKind }> = {
  type: redriveWorkflowType,
  workflowIdOf: redriveWorkflowIdOf,
  inputOf: ({ id }): RedriveInput => ({ redriveId: id }),
  kind: 'redrives',
  rowName: 'redrive',
  idName: 'redriveId',
  summaryOf: ({ kind }) => `redrive of ${kind.replace('_', ' ')}`,
  columns: sql`kind`,
  table: sql`redrives`,
  open: sql`ended_at is null`,
  overdueSeconds: 0,
  restartedSeconds: sql`10`,
  awaitsChanges: false,
};
