import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toScheduleRecords, type ScheduleRecord } from './schedule-record.ts';
import { MessageSchedule } from './schedule.entity.ts';

/**
 * Returns the caller's schedules, newest first. The cost depends on the page size, not on the number of stored
 * schedules.
 */
export async function listSchedules(
  database: Database,
  principal: Principal,
  page: CursorQuery,
): Promise<CursorPage<ScheduleRecord>> {
  return asTenant(database, principal, async (em) => {
    const found = await em.find(MessageSchedule, page.before ? { id: { $lt: page.before } } : {}, {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
    });
    const { data, pagination } = toCursorPage(found, page, (schedule) => schedule);
    return { data: await toScheduleRecords(em, data), pagination };
  });
}
