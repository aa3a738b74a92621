import { normalizeRecipient } from '../messages/recipient.ts';

const shortCode = /^[1-9]\d{2,7}$/;

/**
 * Brings a number as a gateway writes it to the one spelling that we compare: a short code to its digits, any
 * other to E.164, be it written with +, 00 or neither, or nationally. What is no number, such as a name, stays as
 * it came.
 */
export function readNumber(given: string): string {
  const text = given.trim();
  if (shortCode.test(text)) return text;
  for (const spelling of [text, `+${text.replace(/^\+?(?:00)?/, '')}`]) {
    const number = normalizeRecipient(spelling);
    if (number.ok) return number.e164;
  }
  const digits = text.replace(/^\+/, '');
  return shortCode.test(digits) ? digits : text;
}

/**
 * All ways in which an approved sender may be written that is this number.
 *
 * @param number as `readNumber` gives it
 */
export function spellingsOf(number: string): string[] {
  const international = /^\+(\d+)$/.exec(number)?.[1];
  if (international === undefined) return [number];
  const national = /^251([79]\d{8})$/.exec(international)?.[1];
  return [
    ...[number, international, `00${international}`],
    ...(national === undefined ? [] : [`0${national}`, national]),
  ];
}
