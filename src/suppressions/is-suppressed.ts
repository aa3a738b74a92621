import { sql, type RawBuilder } from 'kysely';

/**
 * The condition that a number is on an organization's suppression list, for statements that check many rows: each row
 * costs one lookup in the index of `suppressions_number_unique`.
 *
 * @param organizationId, phoneNumber columns of the surrounding statement, written as SQL; the number is in E.164
 */
export function isSuppressed(organizationId: string, phoneNumber: string): RawBuilder<boolean> {
  return sql`exists (
    select from suppressions
    where suppressions.organization_id = ${sql.raw(organizationId)}
      and suppressions.phone_number = ${sql.raw(phoneNumber)}
  )`;
}
