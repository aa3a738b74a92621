import { Temporal } from 'temporal-polyfill';

/** The moment of a local time of a zone, written as the browser's fields do; null for what is not one. */
export function momentOf(localTime: string, timezone: string): Date | null {
  try {
    return new Date(Temporal.PlainDateTime.from(localTime).toZonedDateTime(timezone).epochMilliseconds);
  } catch {
    return null;
  }
}

/** The local time of a zone at a moment, to the minute, as the browser's fields write it. */
export function localTimeOf(moment: Date, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/** The zone of the reader's device. */
export function readersTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
