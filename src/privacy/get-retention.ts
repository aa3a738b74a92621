import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { RetentionRules } from './retention-rules.entity.ts';

export type RetentionRecord = Schemas['Retention'];

/** Returns the retention rules of the caller's organization. Without a row, everything is kept. */
export async function getRetention(database: Database, principal: Principal): Promise<RetentionRecord> {
  const { organizationId } = principal;
  const rules = await asTenant(database, principal, (em) =>
    em.findOne(RetentionRules, { id: organizationId }),
  );
  return toRetentionRecord(organizationId, rules);
}

export function toRetentionRecord(organizationId: string, rules: RetentionRules | null): RetentionRecord {
  return {
    organizationId,
    textDays: rules?.textDays ?? null,
    numberDays: rules?.numberDays ?? null,
    inboundDays: rules?.inboundDays ?? null,
    webhookBodyDays: rules?.webhookBodyDays ?? null,
    discarded: {
      messageTexts: rules?.messageTexts ?? 0,
      messageNumbers: rules?.messageNumbers ?? 0,
      inboundMessages: rules?.inboundMessages ?? 0,
      webhookBodies: rules?.webhookBodies ?? 0,
    },
    lastRunAt: rules?.lastRunAt?.toISOString() ?? null,
  };
}
