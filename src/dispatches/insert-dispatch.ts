import { sql, type RawBuilder } from 'kysely';
import type { DispatchKind } from './dispatch.entity.ts';

/**
 * The statement that stores a dispatch whose workflow is not started yet. `returning` may follow it.
 *
 * @param dispatch SQL expressions, in the scope of `from`
 * @param dispatch.wakeSeconds how long after its creation the dispatch is first checked
 * @param from the rest of a `select`, with at most one row
 */
export function insertDispatch(
  kind: DispatchKind,
  dispatch: {
    id: RawBuilder<unknown>;
    organizationIds: RawBuilder<unknown>;
    isBulk: boolean;
    createdAt: RawBuilder<unknown>;
    wakeSeconds: number;
  },
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { id, organizationIds, isBulk, createdAt, wakeSeconds } = dispatch;
  return sql`
    insert into dispatches (id, kind, organization_ids, is_bulk, created_at, wake_at)
    select ${id}, ${kind}, ${organizationIds}, ${isBulk}::boolean, ${createdAt},
      ${createdAt} + make_interval(secs => ${wakeSeconds})
    ${from}`;
}
