import { sql } from 'kysely';
import type { DispatchedRows } from '../dispatches/dispatched-rows.ts';

/** Inbound messages, as rows of dispatches. */
export const inboundRows: DispatchedRows = {
  kind: 'inbound',
  table: sql`inbound_messages`,
  assignable: sql`candidate.status = 'received'`,
  open: sql`status in ('received', 'processing')`,
  endByOthers: false,
  // Nothing is recorded for an interrupted attempt: its row is unchanged.
  lastReason: sql`null::text`,
};
