import { acrossOrganizations } from '../organizations/organization-scope.ts';
import type { Database } from '../database.ts';
import { findControlled } from './find-controlled.ts';
import { toSendingControlsRecord, type SendingControlsRecord } from './sending-controls-record.ts';
import { SendingControls } from './sending-controls.entity.ts';

/**
 * Returns the controls of an organization, or those of the platform.
 *
 * Errors: not_found.
 *
 * @param organizationId null for the platform
 */
export async function getSendingControls(
  database: Database,
  organizationId: string | null,
): Promise<SendingControlsRecord> {
  const em = database.em.fork();
  const organization = await findControlled(em, organizationId);
  const controls = await em.findOne(SendingControls, { organization }, { filters: acrossOrganizations });
  return toSendingControlsRecord(organizationId, controls);
}
