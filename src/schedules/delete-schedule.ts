import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { MessageSchedule } from './schedule.entity.ts';

/** Deletes a schedule permanently. Its workflow finds no row and ends. Errors: not_found. */
export async function deleteSchedule(
  dependencies: { database: Database; workflows: WorkflowCalls },
  principal: Principal,
  id: string,
): Promise<void> {
  const deleted = await asTenant(dependencies.database, principal, (em) =>
    em.nativeDelete(MessageSchedule, { id }),
  );
  if (deleted === 0) throw notFound();
  dependencies.workflows.signalChanged(id);
}
