import { sql, type RawBuilder } from 'kysely';

/**
 * The moment when an organization was created, in a statement about something of it.
 *
 * @param organizationId a column of the surrounding statement, written as SQL
 */
export function createdAtOf(organizationId: string): RawBuilder<Date> {
  return sql`(select created_at from organizations where organizations.id = ${sql.raw(organizationId)})`;
}
