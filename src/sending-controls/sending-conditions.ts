import { sql, type RawBuilder } from 'kysely';
import { createdAtOf } from '../organizations/created-at-of.ts';

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

/**
 * The condition that the live messages of an organization are counted within caps: its own, those of the platform, or
 * the limit of new organizations. While nobody has caps, the first part is read once for the statement and the rest
 * never.
 *
 * @param message columns of the surrounding statement, written as SQL; `at` decides whether the organization is new
 */
export function isSendingCapped(message: {
  organizationId: string;
  environment: string;
  at: RawBuilder<unknown>;
}): RawBuilder<boolean> {
  return sql`(
    (select exists (
      select from sending_controls
      where num_nonnulls(${caps}, new_organization_days) > 0
    ))
    and ${sql.raw(message.environment)} = 'live'
    and (
      exists (
        select from sending_controls
        where num_nonnulls(${caps}) > 0
          and (organization_id = ${sql.raw(message.organizationId)} or organization_id is null)
      )
      or ${isNewOrganization(message.organizationId, message.at)}
    )
  )`;
}

const caps = sql`messages_per_hour, recipient_messages_per_hour, recipient_messages_per_day, prefix_caps`;

/**
 * The condition that the limit of new organizations applies to an organization.
 *
 * @param organizationId a column of the surrounding statement, written as SQL
 */
export function isNewOrganization(organizationId: string, at: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from sending_controls platform
    where platform.organization_id is null
      and ${createdAtOf(organizationId)} > ${at} - make_interval(days => platform.new_organization_days)
      and not exists (
        select from sending_controls own
        where own.organization_id = ${sql.raw(organizationId)} and own.new_organization_limit_lifted
      )
  )`;
}
