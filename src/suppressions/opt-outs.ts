import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import { recordset } from '../recordset.ts';
import type { SuppressionSource } from './suppression.entity.ts';

/** A STOP or START message: its id, the phone that sent it, and the number to which it was sent. */
interface StopOrStart {
  id: string;
  sender: string;
  recipient: string;
}

/**
 * A phone that is already opted out stays opted out. The number to which it sent STOP is added to the entry.
 *
 * @returns the organizations for which the opt-out is new
 */
export async function storeOptOuts(
  db: Sql,
  { id, sender, recipient }: StopOrStart,
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
  return new Set(stored.filter(({ isNew }) => isNew).map(({ organizationId }) => organizationId));
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
  { sender, recipient }: StopOrStart,
  organizationIds: string[],
  onlyOfThisNumber: boolean,
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
  const { rows } = await sql<{ organizationId: string }>`
    with lifted as (delete from suppressions where ${stops} and ${ended} returning organization_id)
    select organization_id as "organizationId" from lifted where not exists (
      select from suppressions operators
      where operators.organization_id = lifted.organization_id and phone_number = ${sender} and source = 'operator'
    )
  `.execute(db);
  return new Set(rows.map(({ organizationId }) => organizationId));
}

/** Returns who put the phone on the suppression lists of these organizations. */
export async function findSources(
  db: Sql,
  phone: string,
  organizationIds: string[],
): Promise<SuppressionSource[]> {
  const { rows } = await sql<{ source: SuppressionSource }>`
    select source from suppressions
    where organization_id = any(${organizationIds}::uuid[]) and phone_number = ${phone}
  `.execute(db);
  return rows.map(({ source }) => source);
}
