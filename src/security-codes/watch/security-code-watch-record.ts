import type { Schemas } from '../../http/contract/contract-types.ts';
import type { SecurityCodeWatch } from './security-code-watch.entity.ts';

export type SecurityCodeWatchRecord = Schemas['SecurityCodeWatch'];

/** Returns the settings as the API shows them. */
export function toWatchRecord(watch: SecurityCodeWatch): SecurityCodeWatchRecord {
  const { mode, minCodes, minVerifiedPercent, holdHours, exemptOrganizationIds, exemptPrefixes } = watch;
  return {
    ...{ mode, minCodes, minVerifiedPercent, holdHours, exemptOrganizationIds, exemptPrefixes },
    updatedAt: watch.updatedAt?.toISOString() ?? null,
  };
}
