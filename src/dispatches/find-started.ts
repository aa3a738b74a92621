import { sql } from 'kysely';
import { workflowIdOf } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { DispatchKind } from './dispatch.entity.ts';

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
  const { rows } = await sql<{ id: string; kind: DispatchKind }>`
    select id, kind from dispatches where id = any(${dispatchIds}::uuid[]) and started_at is not null
  `.execute(sqlOf(database));
  return new Set(rows.map(({ id, kind }) => workflowIdOf(kind, id)));
}
