import type { Schemas } from '../../http/contract/contract-types.ts';
import type { InboundKeyword } from './inbound-keyword.entity.ts';

/** A keyword rule as lists and responses show it. */
export type KeywordRecord = Schemas['InboundKeyword'];

export function toKeywordRecord(rule: InboundKeyword): KeywordRecord {
  const { id, keyword, response, matchType, sender, enabled } = rule;
  return {
    id,
    organizationId: rule.organization.id,
    keyword,
    response,
    matchType,
    sender,
    enabled,
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  };
}
