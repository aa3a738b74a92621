import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Administrator } from '../../auth/administrator.ts';
import type { Database } from '../../database.ts';
import { ApiError } from '../../errors.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { findUnknownOrganizations } from '../../organizations/find-unknown-organizations.ts';
import { ensureWatch } from './ensure-watch.ts';
import { isExempt } from './is-exempt.ts';
import { toWatchRecord, type SecurityCodeWatchRecord } from './security-code-watch-record.ts';
import { SecurityCodeWatch } from './security-code-watch.entity.ts';

/**
 * Replaces the settings, ends the alarms that they do not allow any more, and records the change in the audit log. The
 * worker locks the same row while it raises alarms, so none is raised by the settings before.
 *
 * Errors: invalid_request (an organization that does not exist).
 */
export async function changeWatch(
  database: Database,
  administrator: Administrator,
  input: Schemas['SecurityCodeWatchInput'],
  at: Date,
): Promise<SecurityCodeWatchRecord> {
  const { mode, minCodes, minVerifiedPercent, holdHours } = input;
  const exemptOrganizationIds = distinct(input.exemptOrganizationIds?.map((id) => id.toLowerCase()));
  const exemptPrefixes = distinct(input.exemptPrefixes);
  const settings = {
    ...{ mode, minCodes, minVerifiedPercent, holdHours, exemptOrganizationIds, exemptPrefixes },
  };
  return database.em.fork().transactional(async (em) => {
    const unknown = await findUnknownOrganizations(em, exemptOrganizationIds);
    if (unknown.length > 0) throw unknownOrganizations(unknown);
    await ensureWatch(em.getKysely());
    const watch = await em.findOneOrFail(
      SecurityCodeWatch,
      { id: 1 },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    em.assign(watch, { ...settings, updatedAt: at });
    await sql`
      update security_code_alarms set ended_at = ${at}, released_by = ${administrator.actor.id}
      where ended_at is null and ends_at > ${at}
        and (${mode}::text = 'off' or (holds and ${mode}::text <> 'hold') or ${isExempt('security_code_alarms', settings)})
    `.execute(em.getKysely());
    recordAuditEvent(
      em,
      { ...administrator, organizationId: null },
      { action: 'security_code_watch.changed', subjectId: 'security-code-watch', details: settings },
    );
    return toWatchRecord(watch);
  });
}

function distinct(values: string[] = []): string[] {
  return [...new Set(values)].toSorted();
}

function unknownOrganizations(ids: string[]): ApiError {
  return new ApiError('invalid_request', `No organization has this id: ${ids.join(', ')}.`, {
    errors: [
      { path: '/body/exemptOrganizationIds', code: 'not_allowed', message: 'has ids of no organization' },
    ],
  });
}
