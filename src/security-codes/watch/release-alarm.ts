import { LockMode } from '@mikro-orm/core';
import { validate } from 'uuid';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Administrator } from '../../auth/administrator.ts';
import type { Database } from '../../database.ts';
import { ApiError, notFound } from '../../errors.ts';
import { acrossOrganizations } from '../../organizations/organization-scope.ts';
import { toAlarmRecord, type SecurityCodeAlarmRecord } from './security-code-alarm-record.ts';
import { SecurityCodeAlarm } from './security-code-alarm.entity.ts';

/**
 * Ends an alarm before its time. Codes that were sent before do not raise another one. Of two releases at once, the
 * second waits for the lock and finds the alarm ended.
 *
 * Errors: not_found, invalid_state.
 */
export async function releaseAlarm(
  database: Database,
  administrator: Administrator,
  id: string,
  at: Date,
): Promise<SecurityCodeAlarmRecord> {
  if (!validate(id)) throw notFound();
  return database.em.fork().transactional(async (em) => {
    const found = await em.findOne(
      SecurityCodeAlarm,
      { id },
      { lockMode: LockMode.PESSIMISTIC_WRITE, filters: acrossOrganizations },
    );
    if (!found) throw notFound();
    if (found.endedAt !== null || found.endsAt <= at) {
      throw new ApiError('invalid_state', 'The alarm has already ended.');
    }
    found.endedAt = at;
    found.releasedBy = administrator.actor.id;
    const [alarm] = await em.populate([found], ['organization'], { filters: acrossOrganizations });
    const { prefix, holds } = found;
    recordAuditEvent(
      em,
      { ...administrator, organizationId: found.organization.id },
      { action: 'security_code_alarm.released', subjectId: id, details: { prefix, holds } },
    );
    return toAlarmRecord(alarm!, at);
  });
}
