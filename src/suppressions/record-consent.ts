import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import type { Principal } from '../principal.ts';
import { recordset, type Columns } from '../recordset.ts';

/** A change of consent, in the transaction of the change itself. */
export interface ConsentChange {
  organizationId: string;
  /** Of `hashNumber`. */
  numberHash: string;
  kind: 'opted_out' | 'opted_in';
  source: 'operator' | 'recipient';
  /** The STOP or START of a recipient. */
  inboundMessageId?: string;
  /** Who changed the suppression list. */
  actor?: Principal['actor'];
}

type Row = Omit<ConsentChange, 'actor'> & { id: string; actorKind: string | null; actorId: string | null };

const columns: Columns<Row> = {
  id: 'uuid',
  organizationId: 'uuid',
  numberHash: 'text',
  kind: 'text',
  source: 'text',
  inboundMessageId: 'uuid',
  actorKind: 'text',
  actorId: 'text',
};

/** Adds changes to the history of consent. */
export async function recordConsent(db: Sql, changes: ConsentChange[], at: Date): Promise<void> {
  if (changes.length === 0) return;
  const rows: Row[] = changes.map(({ actor, ...change }) => ({
    ...change,
    id: uuidv7(),
    actorKind: actor?.kind ?? null,
    actorId: actor?.id ?? null,
  }));
  await sql`
    insert into consent_events (
      id, organization_id, number_hash, at, kind, source, inbound_message_id, actor_kind, actor_id
    )
    select id, "organizationId", decode("numberHash", 'hex'), ${at}::timestamptz, kind, source, "inboundMessageId",
      "actorKind", "actorId"
    from ${recordset(rows, 'change', columns)}
  `.execute(db);
}
