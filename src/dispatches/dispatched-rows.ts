import type { RawBuilder } from 'kysely';
import type { DispatchKind } from './dispatch.entity.ts';

/**
 * The rows of a feature that are processed in dispatches. Their table has id, organization_id, status, attempts,
 * created_at, dispatch_id and due_at.
 */
export interface DispatchedRows {
  kind: DispatchKind;
  table: RawBuilder<unknown>;
  /** The condition for rows without a dispatch (aliased `candidate`) that may be assigned to one now. */
  assignable: RawBuilder<unknown>;
  /** The condition for rows that are not final. */
  open: RawBuilder<unknown>;
  /** The outcome of the last attempt of a row (aliased `first_due`), as a code. */
  lastReason: RawBuilder<unknown>;
}
