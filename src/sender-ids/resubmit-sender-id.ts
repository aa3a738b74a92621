import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toSenderIdRecord, type SenderIdRecord } from './sender-id-record.ts';
import { SenderId } from './sender-id.entity.ts';
import { refuseSecondRequest, toPendingSender } from './sender-request.ts';

/** Resubmits a rejected sender ID for approval. Errors: not_found, invalid_state, invalid_request, already_exists. */
export async function resubmitSenderId(
  database: Database,
  principal: Principal,
  id: string,
  request: Schemas['SenderIdInput'],
): Promise<SenderIdRecord> {
  const pending = toPendingSender(principal, request);
  const sender = await asTenant(database, principal, async (em) => {
    const count = await em.nativeUpdate(SenderId, { id, status: 'rejected' }, pending);
    const found = await em.findOne(SenderId, { id });
    if (!found) throw notFound();
    if (count === 1) return found;
    throw new ApiError(
      'invalid_state',
      `The sender ID is ${found.status}; only a rejected one can be resubmitted.`,
    );
  }).catch(refuseSecondRequest);
  return toSenderIdRecord(sender);
}
