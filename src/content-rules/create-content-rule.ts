import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { lockName } from '../lock-name.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { checkContentRule } from './check-content-rule.ts';
import { toContentRuleRecord, type ContentRuleRecord } from './content-rule-record.ts';
import { ContentRule } from './content-rule.entity.ts';
import { readTerms } from './read-terms.ts';

/** The maximum number of rules of the platform, and of each organization: every message is compared with them. */
export const maxRules = 100;

/**
 * Creates a rule, of the platform or of one organization, and records it in the audit log. It applies to each message
 * that is stored or claimed after the commit.
 *
 * Errors: invalid_request, not_found (the organization), invalid_state (too many rules).
 */
export async function createContentRule(
  database: Database,
  administrator: Administrator,
  input: Schemas['ContentRuleInput'],
  at: Date,
): Promise<ContentRuleRecord> {
  checkContentRule(input);
  const { kind, values, reason } = input;
  const organizationId = input.organizationId?.toLowerCase() ?? null;
  return database.em.fork().transactional(async (em) => {
    if (organizationId !== null) await requireOrganization(em, organizationId);
    await refuseTooMany(em, organizationId);
    const rule = em.create(ContentRule, {
      ...{ id: uuidv7(), organization: organizationId, kind, values, reason, createdAt: at, updatedAt: at },
      terms: await readTerms(em, kind, values),
    });
    recordAuditEvent(
      em,
      { ...administrator, organizationId },
      { action: 'content_rule.created', subjectId: rule.id, details: { kind, values, reason } },
    );
    return toContentRuleRecord(rule);
  });
}

/** Of two rules at once that are one too many together, the second waits for the lock and is refused. */
async function refuseTooMany(em: EntityManager, organizationId: string | null): Promise<void> {
  await lockName(em.getKysely<unknown>(), ['content-rules', organizationId ?? 'platform']);
  const count = await em.count(
    ContentRule,
    { organization: organizationId },
    { filters: acrossOrganizations },
  );
  if (count >= maxRules) {
    throw new ApiError(
      'invalid_state',
      `There are ${maxRules} rules already. Delete one, or put the values of several into one.`,
    );
  }
}
