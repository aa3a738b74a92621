import { sql, type RawBuilder } from 'kysely';

/**
 * The condition that a number is on an organization's suppression list, for statements that judge many rows:
 * one look into the index of `suppressions_number_unique` each.
 *
 * @param organizationId, phoneNumber columns of the statement around it, written as SQL; the number in E.164
 */
export function isSuppressed(organizationId: string, phoneNumber: string): RawBuilder<boolean> {
  return sql`exists (
    select from suppressions
    where suppressions.organization_id = ${sql.raw(organizationId)}
      and suppressions.phone_number = ${sql.raw(phoneNumber)}
  )`;
}
