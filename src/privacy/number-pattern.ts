/**
 * Returns what is left of a number after its retention: the country code and the last two digits of an Ethiopian
 * number, the first three and the last two digits of any other. The length stays, and no number contains an asterisk.
 *
 * @param phoneNumber E.164, or whatever a gateway gave as a sender
 */
export function maskNumber(phoneNumber: string): string {
  if (phoneNumber.length < 7) return '*'.repeat(phoneNumber.length);
  return `${phoneNumber.slice(0, 4)}${'*'.repeat(phoneNumber.length - 6)}${phoneNumber.slice(-2)}`;
}

/**
 * Returns a regular expression, for PostgreSQL and JavaScript alike, that finds a number in text: in E.164, without the
 * plus, and in national form, with or without separators between its digits.
 *
 * @param phoneNumber E.164
 */
export function patternOfNumber(phoneNumber: string): string {
  const digits = nationalDigits(phoneNumber);
  const separated = (text: string) => text.split('').join('[ ().-]*');
  return phoneNumber.startsWith('+251')
    ? `(([+]?251[ ().-]*0?|0)[ ().-]*)?${separated(digits)}`
    : `[+]?${separated(digits)}`;
}

/** The digits that each spelling of a number has in common: for a search without separators. */
export function nationalDigits(phoneNumber: string): string {
  return phoneNumber.replace(/^\+(251)?/, '');
}
