import type { ContentRule } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

export const contentRulesKey = ['administration', 'content-rules'];

export const ruleKinds = ['contains', 'link_in', 'link_not_in'] as const satisfies ContentRule['kind'][];

/** The rules of the platform and of all organizations, newest first. */
export const contentRulesQuery = listQuery<ContentRule>(contentRulesKey, (paging, options) =>
  sms.admin.listContentRules(paging, options),
);
