const dateTime =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * The formats of openapi.yaml for which the validator's own checks are too lenient. They accept 30 February, an offset
 * of 99 hours, and an offset without its colon, which JavaScript turns into another time or an invalid one.
 */
export const formats = { date: isDate, 'date-time': isDateTime };

/** What a value of each format must be, in words for the caller. */
export const formatWords: Readonly<Record<string, string>> = {
  date: 'must be a date that exists, such as 2026-02-28',
  'date-time':
    'must be a date-time of RFC 3339 whose year in UTC is 0000 to 9999, such as 2026-02-28T09:00:00+03:00',
};

/** Whether the text is a `full-date` of RFC 3339 (section 5.6) that exists in the calendar. */
function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Whether the text is a `date-time` of RFC 3339 (section 5.6). Leap seconds are refused, because a Date cannot
 * represent them. Times outside the years 0000 to 9999 in UTC are refused, because a response could not represent them.
 */
function isDateTime(text: string): boolean {
  const [, date] = dateTime.exec(text) ?? [];
  return date !== undefined && isDate(date) && /^\d{4}-/.test(new Date(text.toUpperCase()).toISOString());
}
