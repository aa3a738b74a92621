import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import type { WaitingFor } from './erasure.entity.ts';
import { ofOwner, type Person } from './person.ts';

/** What one page has done; `cursor` is where the next page of the step begins, null when the step has ended. */
export type Page = { changed: Record<string, number>; cursor: string | null } | { waitingFor: WaitingFor };

/**
 * A part of an erasure. It runs in a transaction behind the wall of the organization. A page changes no more than a
 * bounded number of rows, however much is stored: `rows`, and what belongs to each of them.
 */
export type Step = (db: Sql, person: Person, at: { cursor: string | null; rows: number }) => Promise<Page>;

export const nilId = '00000000-0000-0000-0000-000000000000';

/** Runs a statement. Returns the number of rows that it changed. */
export async function run(db: Sql, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}

/**
 * A step that examines all rows of the owner in a table, page by page along an index, because the number may also be
 * in texts and in fields of callers' own names. `erase` changes those of the examined rows that have it.
 */
export function scan(
  table: string,
  within: RawBuilder<unknown>,
  erase: (db: Sql, person: Person, ids: string[]) => Promise<Record<string, number>>,
): Step {
  return async (db, person, { cursor, rows }) => {
    const { rows: examined } = await sql<{ id: string }>`
      select id from ${sql.table(table)}
      where ${ofOwner(person)} and ${within} and id > ${cursor ?? nilId}
      order by id limit ${rows}
    `.execute(db);
    const ids = examined.map(({ id }) => id);
    return {
      changed: ids.length > 0 ? await erase(db, person, ids) : {},
      cursor: ids.length < rows ? null : ids.at(-1)!,
    };
  };
}

/** The condition that a column has the number, in any spelling. */
export const has = (column: string, { pattern }: Person) => sql`${sql.ref(column)}::text ~ ${pattern}`;

/** The text of a column without the number. */
export const without = (column: string, { pattern, mask }: Person) =>
  sql`regexp_replace(${sql.ref(column)}, ${pattern}, ${mask}, 'g')`;

/** The texts of an array without the number. */
export const textsWithout = (column: string, { pattern, mask }: Person) =>
  sql`array(select regexp_replace(part, ${pattern}, ${mask}, 'g') from unnest(${sql.ref(column)}) as part)`;

/** A JSON object without the fields that have the number. A mask in place of it might not be JSON. */
export const fieldsWithout = (column: string, { pattern }: Person) => sql`(
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${sql.ref(column)}::jsonb)
  where key !~ ${pattern} and value::text !~ ${pattern}
)`;
