import { LockMode } from '@mikro-orm/core';
import { validate } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { ContentRule } from './content-rule.entity.ts';

/** Deletes a rule, and records it in the audit log. Errors: not_found. */
export async function deleteContentRule(
  database: Database,
  administrator: Administrator,
  id: string,
): Promise<void> {
  if (!validate(id)) throw notFound();
  await database.em.fork().transactional(async (em) => {
    const rule = await em.findOne(
      ContentRule,
      { id },
      { lockMode: LockMode.PESSIMISTIC_WRITE, filters: acrossOrganizations },
    );
    if (!rule) throw notFound();
    const { kind, values, reason } = rule;
    em.remove(rule);
    recordAuditEvent(
      em,
      { ...administrator, organizationId: rule.organization?.id ?? null },
      { action: 'content_rule.deleted', subjectId: id, details: { kind, values, reason } },
    );
  });
}
