import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toRetentionRecord, type RetentionRecord } from './get-retention.ts';
import { RetentionRules } from './retention-rules.entity.ts';

/**
 * Replaces the retention rules of the caller's organization, and starts the workflow that applies them. It does not
 * wait for the start: if the start fails, the sweep finds the row.
 */
export async function setRetention(
  database: Database,
  workflows: WorkflowCalls,
  principal: Principal,
  input: Schemas['RetentionInput'],
): Promise<RetentionRecord> {
  const { organizationId } = principal;
  const { textDays = null, numberDays = null, inboundDays = null, webhookBodyDays = null } = input;
  const periods = { textDays, numberDays, inboundDays, webhookBodyDays };
  const discardsAnything = Object.values(periods).some((days) => days !== null);
  const rules = await asTenant(database, principal, async (em) => {
    // A page that is under way has locked the row: it ends first, and the next one begins with the new rules.
    const stored = await em.upsert(
      RetentionRules,
      {
        id: organizationId,
        organization: organizationId,
        ...periods,
        step: 0,
        cursor: null,
        // By the real clock, like the sweep.
        wakeAt: discardsAnything ? new Date() : null,
      },
      { onConflictFields: ['id'], onConflictExcludeFields: ['organization'] },
    );
    await em.refresh(stored);
    recordAuditEvent(em, principal, {
      action: 'retention.changed',
      subjectId: organizationId,
      details: periods,
    });
    return stored;
  });
  if (discardsAnything) workflows.start({ id: organizationId, organizationId });
  return toRetentionRecord(organizationId, rules);
}
