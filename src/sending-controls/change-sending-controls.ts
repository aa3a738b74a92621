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
 * Errors: invalid_request (a reason without a hold, a prefix twice, a limit that belongs to the other level), not_found.
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
  requireSense(organizationId, input);
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
      ...capsOf(input),
      updatedAt: at,
    };
    const controls = found
      ? em.assign(found, change)
      : em.create(SendingControls, { id: uuidv7(), organization: organizationId, ...change });
    const record = toSendingControlsRecord(organizationId, controls);
    recordAuditEvent(
      em,
      { ...administrator, organizationId },
      {
        action: 'sending_controls.changed',
        subjectId: controls.id,
        details: detailsOf(record),
      },
    );
    return record;
  });
}

/** The columns of the caps. */
function capsOf(input: Schemas['SendingControlsInput']) {
  return {
    messagesPerHour: input.messagesPerHour ?? null,
    recipientMessagesPerHour: input.recipientMessagesPerHour ?? null,
    recipientMessagesPerDay: input.recipientMessagesPerDay ?? null,
    prefixCaps: input.prefixCaps?.toSorted((one, other) => (one.prefix < other.prefix ? -1 : 1)) ?? null,
    newOrganizationDays: input.newOrganizations?.days ?? null,
    newOrganizationMessagesPerDay: input.newOrganizations?.messagesPerDay ?? null,
    newOrganizationLimitLifted: input.newOrganizationLimitLifted ?? false,
  };
}

/** What the audit log keeps: the hold and the destinations always, and the caps that are set. */
function detailsOf(record: SendingControlsRecord): Record<string, unknown> {
  const {
    held,
    reason,
    destinations,
    organizationId: _id,
    heldAt: _at,
    updatedAt: _changed,
    ...caps
  } = record;
  const set = Object.entries(caps).filter(([, value]) => value !== null && value !== false);
  return { held, reason, destinations, ...Object.fromEntries(set) };
}

/** Checks what the contract cannot say. Errors: invalid_request. */
function requireSense(organizationId: string | null, input: Schemas['SendingControlsInput']): void {
  if (input.reason !== undefined && !input.held) {
    throw refuseField(
      'reason',
      'Only a hold has a reason. Remove `reason`, or set `held` to true.',
      'is allowed only if `held` is true',
    );
  }
  if (organizationId !== null && input.newOrganizations) {
    throw refuseField(
      'newOrganizations',
      'Only the platform has a limit for new organizations. Remove `newOrganizations`.',
      'is allowed only for the platform',
    );
  }
  if (organizationId === null && input.newOrganizationLimitLifted) {
    throw refuseField(
      'newOrganizationLimitLifted',
      'The limit of new organizations is lifted for one organization. For all of them, remove `newOrganizations`.',
      'is allowed only for an organization',
    );
  }
  const prefixes = input.prefixCaps?.map(({ prefix }) => prefix) ?? [];
  const repeated = prefixes.findIndex((prefix, index) => prefixes.indexOf(prefix) < index);
  if (repeated >= 0) {
    throw refuseField(
      `prefixCaps/${repeated}/prefix`,
      `A prefix has one cap, and ${prefixes[repeated]} has two.`,
      'is in the list already',
    );
  }
}

function refuseField(field: string, detail: string, message: string): ApiError {
  return new ApiError('invalid_request', detail, {
    errors: [{ path: `/body/${field}`, code: 'not_allowed', message }],
  });
}
