import type { Schemas } from '../http/contract/contract-types.ts';
import type { ContentRule } from './content-rule.entity.ts';

export type ContentRuleRecord = Schemas['ContentRule'];

/** Returns a rule as the API shows it. */
export function toContentRuleRecord(rule: ContentRule): ContentRuleRecord {
  const { id, organization, kind, values, reason, createdAt, updatedAt } = rule;
  return {
    ...{ id, organizationId: organization?.id ?? null, kind, values, reason },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
