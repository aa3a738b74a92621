import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { toRedriveRecord, type RedriveRecord } from './redrive-record.ts';
import { Redrive } from './redrive.entity.ts';

/** Lists the redrives with their progress, newest first. */
export async function listRedrives(
  database: Database,
  page: { limit: number; before: string | null },
): Promise<CursorPage<RedriveRecord>> {
  const redrives = await database.em.fork().find(Redrive, page.before ? { id: { $lt: page.before } } : {}, {
    orderBy: { id: 'desc' },
    limit: page.limit + 1,
  });
  return toCursorPage(redrives, page.limit, toRedriveRecord);
}

/** Reads one redrive. Errors: not_found. */
export async function getRedrive(database: Database, id: string): Promise<RedriveRecord> {
  const redrive = await database.em.fork().findOne(Redrive, { id });
  if (!redrive) throw notFound();
  return toRedriveRecord(redrive);
}
