import { sql, type RawBuilder } from 'kysely';

/**
 * The condition that an organization may not send to a number: neither its own destinations nor, if it has none, those
 * of the platform include it. For statements that check many rows: while nobody has destinations, the first part is
 * read once for the statement and the rest never.
 *
 * Test messages may go anywhere, because they reach no phone.
 *
 * @param message columns of the surrounding statement, written as SQL; the number is in E.164
 */
export function isDestinationRefused(message: {
  organizationId: string;
  environment: string;
  recipient: string;
}): RawBuilder<boolean> {
  return sql`(
    (select exists (select from sending_controls where destinations is not null))
    and ${sql.raw(message.environment)} = 'live'
    and not (
      select coalesce(bool_or(starts_with(${sql.raw(message.recipient)}, prefix)), true)
      from unnest(coalesce(
        (select destinations from sending_controls where organization_id = ${sql.raw(message.organizationId)}),
        (select destinations from sending_controls where organization_id is null)
      )) prefix
    )
  )`;
}

/**
 * The condition that the live messages of an organization wait, because an administrator holds them or those of all
 * organizations.
 *
 * @param message columns of the surrounding statement, written as SQL
 */
export function isSendingHeld(message: { organizationId: string; environment: string }): RawBuilder<boolean> {
  return sql`(
    (select exists (select from sending_controls where held_at is not null))
    and ${sql.raw(message.environment)} = 'live'
    and exists (
      select from sending_controls
      where held_at is not null
        and (organization_id = ${sql.raw(message.organizationId)} or organization_id is null)
    )
  )`;
}

/** The query for who is held, and since when: an organization, or all of them where `organization_id` is null. */
export const holds = sql`select organization_id, held_at from sending_controls where held_at is not null`;
