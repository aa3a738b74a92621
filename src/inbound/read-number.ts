import { normalizeRecipient } from '../messages/recipient.ts';

const shortCode = /^[1-9]\d{2,7}$/;

/**
 * Converts a number from the gateway to the form used for comparison: a short code to its digits, any other number to
 * E.164, whether it is written with +, with 00, without a prefix, or in national form. Text that is not a number, for
 * example a name, is returned as received.
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
