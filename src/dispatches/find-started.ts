import { workflowIdOf } from '../../workflows/contract.ts';
import { tablesOf, type Database } from '../database.ts';
import type { Dispatch } from './dispatch.entity.ts';

/**
 * Finds the dispatches whose workflow was started. A row may refer to its dispatch before that: in the short time
 * between the two steps, or while Temporal cannot be reached.
 *
 * @param dispatchIds the dispatches of rows that the caller may see
 * @returns the ids of the workflows that were started
 */
export async function findStartedWorkflows(
  database: Database,
  dispatchIds: string[],
): Promise<ReadonlySet<string>> {
  if (dispatchIds.length === 0) return new Set();
  const rows = await tablesOf<typeof Dispatch>(database.em)
    .selectFrom('Dispatch')
    .select(['id', 'kind'])
    .where('id', 'in', dispatchIds)
    .where('startedAt', 'is not', null)
    .execute();
  return new Set(rows.map(({ id, kind }) => workflowIdOf(kind, id)));
}
