import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import type { Database } from '../database.ts';
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
  if (organizationId !== null) await requireOrganization(em, organizationId);
  const controls = await em.findOne(
    SendingControls,
    { organization: organizationId },
    { filters: acrossOrganizations },
  );
  return toSendingControlsRecord(organizationId, controls);
}
