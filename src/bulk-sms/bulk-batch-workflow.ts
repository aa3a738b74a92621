import { sql } from 'kysely';
import {
  bulkBatchWorkflowIdOf,
  bulkBatchWorkflowType,
  type BulkBatchInput,
} from '../../workflows/contract.ts';
import type { RowWorkflow } from '../dispatches/row-workflows.ts';

/** The workflow that processes a bulk batch. */
export const bulkBatchWorkflow: RowWorkflow = {
  type: bulkBatchWorkflowType,
  workflowIdOf: bulkBatchWorkflowIdOf,
  inputOf: ({ id }): BulkBatchInput => ({ batchId: id }),
  kind: 'bulk-sms',
  rowName: 'bulk batch',
  idName: 'batchId',
  table: sql`bulk_batches`,
  open: sql`wake_at is not null`,
  awaitsChanges: true,
};
