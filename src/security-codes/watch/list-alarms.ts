import type { Database } from '../../database.ts';
import type { Inputs } from '../../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../../http/cursor.ts';
import { acrossOrganizations } from '../../organizations/organization-scope.ts';
import { toAlarmRecord, type SecurityCodeAlarmRecord } from './security-code-alarm-record.ts';
import { SecurityCodeAlarm } from './security-code-alarm.entity.ts';

/** Lists the alarms of all organizations, or of one, newest first. For administrators. */
export async function listAlarms(
  database: Database,
  { organizationId, open }: Inputs['listSecurityCodeAlarms']['query'],
  page: CursorQuery,
  at: Date,
): Promise<CursorPage<SecurityCodeAlarmRecord>> {
  const alarms = await database.em.fork().find(
    SecurityCodeAlarm,
    {
      ...(page.before !== null && { id: { $lt: page.before } }),
      ...(organizationId !== undefined && { organization: organizationId }),
      ...(open === 'true' && { endedAt: null, endsAt: { $gt: at } }),
      ...(open === 'false' && { $or: [{ endedAt: { $ne: null } }, { endsAt: { $lte: at } }] }),
    },
    {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
      populate: ['organization'],
      filters: acrossOrganizations,
    },
  );
  return toCursorPage(alarms, page, (alarm) => toAlarmRecord(alarm, at));
}
