import { sql, type RawBuilder } from 'kysely';

/** A property of a campaign, in a statement that reads another table: one lookup for each row. */
export function campaignOf(id: RawBuilder<unknown>, column: 'name' | 'status'): RawBuilder<string> {
  return sql`(select ${sql.ref(`campaigns.${column}`)} from campaigns where campaigns.id = ${id})`;
}
