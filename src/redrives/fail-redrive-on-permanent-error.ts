import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Redrive } from './redrive.entity.ts';

/**
 * Fails a redrive after a permanent error of a page, unless another process has taken a page since. What was redriven
 * before stays redriven.
 *
 * @param seen the redrive as the page found it
 */
export async function failRedriveOnPermanentError(
  database: Database,
  seen: Pick<Redrive, 'id' | 'cursorAt' | 'cursorId'>,
  at: Date,
): Promise<void> {
  await sql`
    update redrives set status = 'failed', ended_at = ${at}
    where id = ${seen.id} and ended_at is null
      and cursor_at = ${seen.cursorAt} and cursor_id = ${seen.cursorId}
  `.execute(sqlOf(database));
}
