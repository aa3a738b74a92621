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
  /**
   * Whether something other than the activity of its dispatch makes rows final, and then signals the workflow: a delivery
   * report, or a guess. No row is added to such a dispatch later.
   */
  endByOthers: boolean;
  /** The outcome of the last attempt of a row (aliased `first_due`), as a code. */
  lastReason: RawBuilder<unknown>;
}
