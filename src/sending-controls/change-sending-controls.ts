import { v7 as uuidv7 } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { lockName } from '../lock-name.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { toSendingControlsRecord, type SendingControlsRecord } from './sending-controls-record.ts';
import { SendingControls } from './sending-controls.entity.ts';

/**
 * Replaces the controls of an organization, or of the platform, and records the change in the audit log. Workers check
 * the controls at each claim, so a hold applies to every message that is not claimed when this returns.
 *
 * Errors: invalid_request (a reason without a hold), not_found.
 *
 * @param organizationId null for the platform
 */
export async function changeSendingControls(
  database: Database,
  administrator: Administrator,
  organizationId: string | null,
  input: Schemas['SendingControlsInput'],
  at: Date,
): Promise<SendingControlsRecord> {
  if (input.reason !== undefined && !input.held) {
    throw new ApiError(
      'invalid_request',
      'Only a hold has a reason. Remove `reason`, or set `held` to true.',
      {
        errors: [{ path: '/body/reason', code: 'not_allowed', message: 'is allowed only if `held` is true' }],
      },
    );
  }
  return database.em.fork().transactional(async (em) => {
    if (organizationId !== null) await requireOrganization(em, organizationId);
    // Two first changes at once would both insert the row.
    await lockName(em.getKysely<unknown>(), ['sending-controls', organizationId ?? 'platform']);
    const found = await em.findOne(
      SendingControls,
      { organization: organizationId },
      { filters: acrossOrganizations },
    );
    const change = {
      // A hold that goes on keeps its beginning.
      heldAt: input.held ? (found?.heldAt ?? at) : null,
      reason: input.reason ?? null,
      destinations: input.destinations ? [...new Set(input.destinations)].toSorted() : null,
      updatedAt: at,
    };
    const controls = found
      ? em.assign(found, change)
      : em.create(SendingControls, { id: uuidv7(), organization: organizationId, ...change });
    const { reason, destinations } = change;
    recordAuditEvent(
      em,
      { ...administrator, organizationId },
      {
        action: 'sending_controls.changed',
        subjectId: controls.id,
        details: { held: input.held, reason, destinations },
      },
    );
    return toSendingControlsRecord(organizationId, controls);
  });
}
