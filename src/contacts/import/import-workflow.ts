import { sql } from 'kysely';
import {
  importContactsType,
  importWorkflowIdOf,
  type ContactImportInput,
} from '../../../workflows/contract.ts';
import type { RowWorkflow } from '../../dispatches/row-workflows.ts';

/** The workflow of a contact import. Each page sets the time by which the next one is expected. */
export const importWorkflow: RowWorkflow<{ id: string; organizationId: string }> = {
  type: importContactsType,
  workflowIdOf: importWorkflowIdOf,
  inputOf: ({ id, organizationId }): ContactImportInput => ({ importId: id, organizationId }),
  kind: 'contact-imports',
  rowName: 'contact import',
  idName: 'importId',
  table: sql`contact_imports`,
  open: sql`status = 'processing'`,
  overdueSeconds: 0,
  rowsPerRound: 20,
  awaitsChanges: false,
};
