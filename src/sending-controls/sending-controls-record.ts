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
    updatedAt: controls?.updatedAt.toISOString() ?? null,
  };
}
