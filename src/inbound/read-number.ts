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
