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

/**
 * The condition that a number has opted out and was erased since. It is checked when a message is stored, because only then
 * the hash of its number is known. An erasure waits for the messages that are stored already.
 *
 * @param organizationId, numberHash columns of the surrounding statement, written as SQL; the hash is hexadecimal
 */
export function isErasedOptOut(organizationId: string, numberHash: string): RawBuilder<boolean> {
  return sql`exists (
    select from erased_opt_outs
    where erased_opt_outs.organization_id = ${sql.raw(organizationId)}
      and erased_opt_outs.number_hash = decode(${sql.raw(numberHash)}, 'hex')
  )`;
}

/** The condition that an organization has any such opt-outs: most have none, and need no hashes. */
export function hasErasedOptOuts(organizationId: string): RawBuilder<boolean> {
  return sql`exists (select from erased_opt_outs where organization_id = ${organizationId})`;
}
