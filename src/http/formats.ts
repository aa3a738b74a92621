const dateTime =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * The formats of openapi.yaml that the validator's own would let too much through for: it takes 30 February,
 * an offset of 99 hours and one without its colon, and JavaScript then makes another moment of them, or none.
 */
export const formats = { date: isDate, 'date-time': isDateTime };

/** Whether it is a `full-date` of RFC 3339 (section 5.6) that the calendar has. */
function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Whether it is a `date-time` of RFC 3339 (section 5.6). A leap second is none here, for no Date can hold it,
 * nor is a moment that lies outside the years 0000 to 9999 in UTC, for it could not be answered.
 */
function isDateTime(text: string): boolean {
  const [, date] = dateTime.exec(text) ?? [];
  return date !== undefined && isDate(date) && /^\d{4}-/.test(new Date(text.toUpperCase()).toISOString());
}
