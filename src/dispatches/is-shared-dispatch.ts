import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import type { DispatchKind } from './dispatch.entity.ts';

/** Whether a dispatch has rows of several organizations. This never changes. */
export async function isSharedDispatch(db: Sql, kind: DispatchKind, dispatchId: string): Promise<boolean> {
  const { rows } = await sql<{ isShared: boolean }>`${prepared('is_shared_dispatch')}
    select cardinality(organization_ids) > 1 as "isShared" from dispatches
    where id = ${dispatchId} and kind = ${kind}
  `.execute(db);
  return rows[0]?.isShared ?? false;
}
