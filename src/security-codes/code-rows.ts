import { sql } from 'kysely';
import type { DispatchedRows } from '../dispatches/dispatched-rows.ts';

/** Security codes, as rows of dispatches. */
export const codeRows: DispatchedRows = {
  kind: 'security-codes',
  table: sql`security_codes`,
  assignable: sql`candidate.status = 'pending'`,
  open: sql`status = 'pending'`,
  endByOthers: true,
  // If a code is not verified, the first question is whether its message was delivered.
  lastReason: sql`(
    select 'message ' || messages.status from security_codes
    join messages on messages.id = security_codes.message_id where security_codes.id = first_due.id
  )`,
};
