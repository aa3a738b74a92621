import { LockMode } from '@mikro-orm/core';
import { validate } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { checkContentRule } from './check-content-rule.ts';
import { toContentRuleRecord, type ContentRuleRecord } from './content-rule-record.ts';
import { ContentRule } from './content-rule.entity.ts';
import { readTerms } from './read-terms.ts';

/**
 * Replaces a rule as a whole, except for whose it is, and records the change in the audit log.
 *
 * Errors: invalid_request, not_found.
 */
export async function updateContentRule(
  database: Database,
  administrator: Administrator,
  id: string,
  { kind, values, reason }: Schemas['ContentRuleChange'],
  at: Date,
): Promise<ContentRuleRecord> {
  checkContentRule({ kind, values });
  if (!validate(id)) throw notFound();
  return database.em.fork().transactional(async (em) => {
    const rule = await em.findOne(
      ContentRule,
      { id },
      { lockMode: LockMode.PESSIMISTIC_WRITE, filters: acrossOrganizations },
    );
    if (!rule) throw notFound();
    em.assign(rule, { kind, values, reason, terms: await readTerms(em, kind, values), updatedAt: at });
    recordAuditEvent(
      em,
      { ...administrator, organizationId: rule.organization?.id ?? null },
      { action: 'content_rule.updated', subjectId: id, details: { kind, values, reason } },
    );
    return toContentRuleRecord(rule);
  });
}
