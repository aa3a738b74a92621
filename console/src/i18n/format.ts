import { useMemo } from 'react';
import { useLanguage } from './language.tsx';

export interface Format {
  /** A time with its date, in the reader's zone. */
  dateTime: (time: string | Date) => string;
  /** A time with its date in a time zone, and the name of the zone. */
  dateTimeIn: (time: string | Date, timeZone: string) => string;
  /** A day that is written as 2026-01-31. */
  day: (date: string) => string;
  /** A share of one as a percentage. */
  percent: (share: number) => string;
  /** A time of day with milliseconds. */
  preciseTime: (time: string | Date) => string;
  /** How long ago, for example "3 min ago". */
  ago: (time: string | Date, now?: number) => string;
  /** The same in as little room as possible, for example "3m". */
  age: (time: string | Date, now?: number) => string;
  number: (value: number) => string;
  /** A duration, for example "1.2s" or "3m". */
  duration: (milliseconds: number) => string;
}

const agoUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const durationUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const;

/** Returns what writes times and numbers in the reader's language. */
export function useFormat(): Format {
  const { language } = useLanguage();
  return useMemo(() => createFormat(language), [language]);
}

function createFormat(language: string): Format {
  // British English writes the day before the month and 24 hours, as the readers of the service do.
  const locale = language === 'en' ? 'en-GB' : language;
  const dateTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  const preciseTime = new Intl.DateTimeFormat(locale, {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(locale);
  return {
    dateTime: (time) => dateTime.format(new Date(time)),
    dateTimeIn: (time, timeZone) =>
      new Intl.DateTimeFormat(locale, {
        ...{ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone },
      }).format(new Date(time)),
    day: (date) => day.format(new Date(`${date}T00:00:00Z`)),
    percent: (share) => percent.format(share),
    preciseTime: (time) => preciseTime.format(new Date(time)),
    ago: (time, now = Date.now()) => {
      const elapsedMs = Math.max(0, now - new Date(time).getTime());
      const [unit, unitMs] = agoUnits.find(([, ms]) => elapsedMs >= ms) ?? agoUnits[3];
      return relative.format(-Math.floor(elapsedMs / unitMs), unit);
    },
    age: (time, now = Date.now()) =>
      duration(Math.max(1000, Math.floor((now - new Date(time).getTime()) / 1000) * 1000)),
    number: (value) => number.format(value),
    duration,
  };

  function duration(milliseconds: number): string {
    const [unit, unitMs] = durationUnits.find(([, ms]) => milliseconds >= ms) ?? durationUnits[4];
    return new Intl.NumberFormat(locale, {
      ...{ style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: unit === 'second' ? 1 : 0 },
    }).format(milliseconds / unitMs);
  }
}
