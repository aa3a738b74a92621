import type { InboundKeyword } from './inbound-keyword.entity.ts';
import type { MatchType } from './match-keyword.ts';

/** A keyword rule as lists and responses show it. */
export interface KeywordRecord {
  id: string;
  organizationId: string;
  keyword: string;
  response: string;
  matchType: MatchType;
  sender: string | null;
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
}

export function toKeywordRecord(rule: InboundKeyword): KeywordRecord {
  const { id, keyword, response, matchType, sender, enabled } = rule;
  return {
    ...{ id, organizationId: rule.organization.id, keyword, response, matchType, sender, enabled },
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  };
}
