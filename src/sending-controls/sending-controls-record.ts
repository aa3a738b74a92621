import type { Schemas } from '../http/contract/contract-types.ts';
import type { SendingControls } from './sending-controls.entity.ts';

export type SendingControlsRecord = Schemas['SendingControls'];

/** Returns the controls as the API shows them. Without a row, nothing was ever changed. */
export function toSendingControlsRecord(
  organizationId: string | null,
  controls: SendingControls | null,
): SendingControlsRecord {
  return {
    organizationId,
    held: controls !== null && controls.heldAt !== null,
    heldAt: controls?.heldAt?.toISOString() ?? null,
    reason: controls?.reason ?? null,
    destinations: controls?.destinations ?? null,
    messagesPerHour: controls?.messagesPerHour ?? null,
    recipientMessagesPerHour: controls?.recipientMessagesPerHour ?? null,
    recipientMessagesPerDay: controls?.recipientMessagesPerDay ?? null,
    prefixCaps: controls?.prefixCaps ?? null,
    newOrganizations: controls && newOrganizationsOf(controls),
    newOrganizationLimitLifted: controls?.newOrganizationLimitLifted ?? false,
    updatedAt: controls?.updatedAt.toISOString() ?? null,
  };
}

/** Returns the limit of new organizations; null if there is none. */
function newOrganizationsOf({
  newOrganizationDays: days,
  newOrganizationMessagesPerDay: messagesPerDay,
}: SendingControls): SendingControlsRecord['newOrganizations'] {
  return days === null || messagesPerDay === null ? null : { days, messagesPerDay };
}
