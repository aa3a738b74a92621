import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import { recordset } from '../recordset.ts';
import { recordConsent } from './record-consent.ts';
import type { SuppressionSource } from './suppression.entity.ts';

/** A STOP or START message: its id, the phone that sent it, and the number to which it was sent. */
interface StopOrStart {
  id: string;
  sender: string;
  /** The keyed hash of the phone. */
  senderHash: string;
  recipient: string;
}

/**
 * A phone that is already opted out stays opted out. The number to which it sent STOP is added to the entry.
 *
 * @returns the organizations for which the opt-out is new
 */
export async function storeOptOuts(
  db: Sql,
  { id, sender, senderHash, recipient }: StopOrStart,
  organizationIds: string[],
  now: Date,
): Promise<Set<string>> {
  const rows = organizationIds.map((organizationId) => ({ id: uuidv7(), organizationId }));
  const { rows: stored } = await sql<{ organizationId: string; isNew: boolean }>`
    insert into suppressions (
      id, organization_id, phone_number, reason, source, inbound_message_id, stopped_numbers, created_at
    )
    select suppression.id, "organizationId", ${sender}, 'The recipient sent STOP.', 'recipient', ${id},
      array[${recipient}::text], ${now}
    from ${recordset(rows, 'suppression', { id: 'uuid', organizationId: 'uuid' })}
    order by "organizationId"
    on conflict (organization_id, phone_number, source) do update
      set stopped_numbers = array_remove(suppressions.stopped_numbers, ${recipient}) || excluded.stopped_numbers
    returning organization_id as "organizationId", xmax = 0 as "isNew"
  `.execute(db);
  const changed = stored.filter(({ isNew }) => isNew).map(({ organizationId }) => organizationId);
  const fact = { numberHash: senderHash, kind: 'opted_out', source: 'recipient' } as const;
  await recordConsent(
    db,
    changed.map((organizationId) => ({ ...fact, organizationId, inboundMessageId: id })),
    now,
  );
  return new Set(changed);
}

/**
 * Ends opt-outs that the recipient has requested. Entries that an operator has made stay: operators have their reasons,
 * and can remove the entries themselves.
 *
 * @param onlyOfThisNumber true if the number is shared: an opt-out by STOP to another number then stays
 * @returns the organizations that may send to the phone again, and could not before
 */
export async function endOptOuts(
  db: Sql,
  { id, sender, senderHash, recipient }: StopOrStart,
  organizationIds: string[],
  onlyOfThisNumber: boolean,
  now: Date,
): Promise<Set<string>> {
  const stops = sql`
    organization_id = any(${organizationIds}::uuid[]) and phone_number = ${sender} and source = 'recipient'`;
  if (onlyOfThisNumber) {
    await sql`
      update suppressions set stopped_numbers = array_remove(stopped_numbers, ${recipient})
      where ${stops} and stopped_numbers <> array[${recipient}::text]
    `.execute(db);
  }
  const ended = onlyOfThisNumber ? sql`stopped_numbers = array[${recipient}::text]` : sql`true`;
  // An opt-out whose number was erased does not know to which number the phone sent STOP: START to any of them ends it.
  const { rows } = await sql<{ organizationId: string; isHeldByOperator: boolean }>`
    with lifted as (
      delete from suppressions where ${stops} and ${ended} returning organization_id
    ), lifted_erased as (
      delete from erased_opt_outs
      where organization_id = any(${organizationIds}::uuid[]) and number_hash = decode(${senderHash}, 'hex')
        and source = 'recipient'
      returning organization_id
    )
    select organization_id as "organizationId", exists (
      select from suppressions operators
      where operators.organization_id = lifted.organization_id and phone_number = ${sender} and source = 'operator'
    ) or exists (
      select from erased_opt_outs operators
      where operators.organization_id = lifted.organization_id and number_hash = decode(${senderHash}, 'hex')
        and source = 'operator'
    ) as "isHeldByOperator"
    from (select organization_id from lifted union select organization_id from lifted_erased) lifted
  `.execute(db);
  const fact = { numberHash: senderHash, kind: 'opted_in', source: 'recipient' } as const;
  await recordConsent(
    db,
    rows.map(({ organizationId }) => ({ ...fact, organizationId, inboundMessageId: id })),
    now,
  );
  return new Set(rows.filter((row) => !row.isHeldByOperator).map(({ organizationId }) => organizationId));
}

/** Returns who put the phone on the suppression lists of these organizations. */
export async function findSources(
  db: Sql,
  { sender, senderHash }: Pick<StopOrStart, 'sender' | 'senderHash'>,
  organizationIds: string[],
): Promise<SuppressionSource[]> {
  const { rows } = await sql<{ source: SuppressionSource }>`
    select source from suppressions
    where organization_id = any(${organizationIds}::uuid[]) and phone_number = ${sender}
    union all
    select source from erased_opt_outs
    where organization_id = any(${organizationIds}::uuid[]) and number_hash = decode(${senderHash}, 'hex')
  `.execute(db);
  return rows.map(({ source }) => source);
}
