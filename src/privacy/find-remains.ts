import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { environments } from '../principal.ts';
import type { WaitingFor } from './erasure.entity.ts';
import { endOfErasure, ofOwner, type Person } from './person.ts';

/**
 * Returns whether a message from the number has arrived that is not routed to an organization yet. Only work beyond the
 * wall can see it.
 */
export async function isBeingRouted(db: Sql, phoneNumber: string): Promise<boolean> {
  const { rows } = await sql<{ isBeingRouted: boolean }>`
    select exists (
      select from inbound_messages
      where organization_id is null and status in ('received', 'processing') and sender = ${phoneNumber}
    ) as "isBeingRouted"
  `.execute(db);
  return rows[0]!.isBeingRouted;
}

/** Returns whether messages to the number are left, or messages from it: they were stored while the steps ran. */
export async function findRemains(db: Sql, person: Person): Promise<boolean> {
  const { organizationId, phoneNumber, isBeingRouted: isInboundLeft } = person;
  if (isInboundLeft) return true;
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
    ) or exists (
      select from inbound_messages where ${ofOwner(person)} and sender = ${phoneNumber}
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
      when ${person.isBeingRouted}::boolean or exists (
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
