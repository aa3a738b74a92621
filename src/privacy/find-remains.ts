import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { environments } from '../principal.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import type { WaitingFor } from './erasure.entity.ts';

/** The person whose data an erasure erases. */
export interface Person {
  organizationId: string;
  /** E.164. */
  phoneNumber: string;
  numberHash: string;
  /** What takes the place of the number. */
  mask: string;
  /** A regular expression that finds the number in texts, and the digits that each match has without separators. */
  pattern: string;
  digits: string;
  requestedAt: Date;
}

/**
 * An erasure erases what was stored before this time after its request: then what was being sent at the request is
 * included. It is no block on the number. Whoever sends to it again, days later, stores it again.
 */
const includedMs = 3_600_000;

/** The id before which rows belong to the erasure. */
export function endOfErasure({ requestedAt }: Person): string {
  return lowestTimeOrderedId(new Date(requestedAt.getTime() + includedMs));
}

/** Returns whether messages to the number are left, or messages from it: they were stored while the steps ran. */
export async function findRemains(db: Sql, person: Person): Promise<boolean> {
  const { organizationId, phoneNumber } = person;
  const { rows } = await sql<{ isLeft: boolean }>`
    select exists (
      select from messages
      where organization_id = ${organizationId} and environment = any(${[...environments]}::text[])
        and recipient = ${phoneNumber} and id < ${endOfErasure(person)}
    ) or exists (
      select from contacts where organization_id = ${organizationId} and phone_number = ${phoneNumber}
        and id < ${endOfErasure(person)}
    ) or exists (
      select from suppressions where organization_id = ${organizationId} and phone_number = ${phoneNumber}
        and id < ${endOfErasure(person)}
    ) as "isLeft"
  `.execute(db);
  return rows[0]!.isLeft;
}

/**
 * Returns the first thing that must end before the number can go: a message that is still to be sent or reported needs
 * it.
 */
export async function findUnfinished(db: Sql, person: Person): Promise<WaitingFor | null> {
  const { organizationId, phoneNumber } = person;
  const ofPerson = sql`organization_id = ${organizationId} and environment = any(${[...environments]}::text[])
    and recipient = ${phoneNumber}`;
  const { rows } = await sql<{ waitingFor: WaitingFor | null }>`
    select case
      when exists (
        select from messages
        where ${ofPerson} and status in ('queued', 'accepted', 'sent') and id < ${endOfErasure(person)}
      ) then 'messages'
      when exists (
        select from security_codes where ${ofPerson} and status = 'pending' and id < ${endOfErasure(person)}
      ) then 'security_codes'
      when exists (
        select from inbound_messages
        where organization_id = ${organizationId} and status in ('received', 'processing') and sender = ${phoneNumber}
      ) then 'inbound_messages'
      when exists (
        select from webhook_deliveries
        where message_id in (select id from messages where ${ofPerson}) and status in ('pending', 'retrying')
          and id < ${endOfErasure(person)}
      ) then 'webhook_deliveries'
      when exists (
        select from contact_imports where organization_id = ${organizationId} and status = 'processing'
      ) then 'contact_imports'
    end as "waitingFor"
  `.execute(db);
  return rows[0]!.waitingFor;
}
