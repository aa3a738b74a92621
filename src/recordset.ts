import { sql, type RawBuilder } from 'kysely';

/** The PostgreSQL types that can hold a value of a TypeScript type, once it is written as JSON. */
type ColumnType<Value> =
  NonNullable<Value> extends Date
    ? 'timestamptz'
    : NonNullable<Value> extends string
      ? 'uuid' | 'text' | 'timestamptz' | 'date'
      : NonNullable<Value> extends number
        ? 'smallint' | 'integer' | 'bigint' | 'float8'
        : NonNullable<Value> extends boolean
          ? 'boolean'
          : NonNullable<Value> extends readonly string[]
            ? 'json' | 'jsonb' | 'text[]' | 'uuid[]'
            : 'json' | 'jsonb';

/** The columns that a statement uses of the rows: each is a property of the rows, with a type that fits its values. */
export type Columns<Row> = { readonly [Property in keyof Row & string]?: ColumnType<Row[Property]> };

/**
 * Passes any number of rows to a statement as one parameter, so the statement stays the same, and is one round trip,
 * for any number of rows. In the statement the columns have the names of the properties: `draft."createdAt"`.
 *
 * A property that is absent or null in a row is null.
 */
export function recordset<Row extends object>(
  rows: readonly Row[],
  alias: string,
  columns: Columns<Row>,
): RawBuilder<unknown> {
  const definitions = Object.entries(columns).map(([name, type]) => `${quote(name)} ${String(type)}`);
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as ${sql.raw(`${quote(alias)}(${definitions.join(', ')})`)}`;
}

/** Names come from the code, never from callers. The quotes keep their upper-case letters. */
function quote(name: string): string {
  return `"${name}"`;
}
