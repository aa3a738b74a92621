import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toSenderIdRecord, type SenderIdRecord } from './sender-id-record.ts';
import { SenderId } from './sender-id.entity.ts';
import { refuseSecondRequest, toPendingSender } from './sender-request.ts';

/** Requests the approval of a sender ID. Errors: invalid_request, already_exists. */
export async function requestSenderId(
  database: Database,
  principal: Principal,
  request: Schemas['SenderIdInput'],
): Promise<SenderIdRecord> {
  const pending = toPendingSender(principal, request);
  const sender = await asTenant(database, principal, (em) =>
    Promise.resolve(
      em.create(SenderId, {
        id: uuidv7(),
        organization: principal.organizationId,
        ...pending,
        createdAt: new Date(),
      }),
    ),
  ).catch(refuseSecondRequest);
  return toSenderIdRecord(sender);
}
