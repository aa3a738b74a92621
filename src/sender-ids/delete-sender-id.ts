import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { SenderId } from './sender-id.entity.ts';

/** Deletes a sender ID that is pending or rejected. Errors: not_found, invalid_state. */
export async function deleteSenderId(database: Database, principal: Principal, id: string): Promise<void> {
  await asTenant(database, principal, async (em) => {
    const count = await em.nativeDelete(SenderId, { id, status: { $ne: 'approved' } });
    if (count === 1) return;
    if ((await em.count(SenderId, { id })) === 0) throw notFound();
    throw new ApiError(
      'invalid_state',
      'The sender ID is approved; only a pending or a rejected one can be deleted.',
    );
  });
}
