/**
 * A row as a raw statement returns it: the driver returns timestamps as text. The query builder of `tablesOf` returns
 * dates.
 */
export type Stored<Row> = {
  [Property in keyof Row]: Row[Property] extends Date
    ? string
    : Row[Property] extends Date | null
      ? string | null
      : Row[Property];
};

/** Turns a timestamp that a raw statement returned into a date. */
export function toDate<Text extends string | null>(stored: Text): Text extends string ? Date : null;
export function toDate(stored: string | null): Date | null {
  return stored === null ? null : new Date(stored);
}

/** Turns a timestamp that a raw statement returned into the form of the API: `2026-11-21T08:00:00.000Z`. */
export function toIsoTime<Text extends string | null>(stored: Text): Text;
export function toIsoTime(stored: string | null): string | null {
  return stored === null ? null : new Date(stored).toISOString();
}
