import { getCountries, getCountryCallingCode } from 'libphonenumber-js';

/** No country calling code is the beginning of another one. */
const callingCodes: ReadonlySet<string> = new Set(
  getCountries().map((country) => getCountryCallingCode(country)),
);

/** Those that belong to no country, such as 883, have as many digits as the longest of countries. */
const longestCallingCode = 3;

/** Mobile networks, and blocks of numbers that are leased together, differ in these digits after the calling code. */
const nationalDigits = 3;

/** `+`, the longest calling code, and the national digits. */
export const longestPrefix = 1 + longestCallingCode + nationalDigits;

/**
 * Returns the prefix under which security codes are counted: the country calling code and the next three digits,
 * `+251911` of `+251911234567`.
 *
 * @param number E.164, or the first `longestPrefix` characters of it
 */
export function destinationPrefix(number: string): string {
  const digits = [1, 2].find((length) => callingCodes.has(number.slice(1, 1 + length))) ?? longestCallingCode;
  return number.slice(0, 1 + digits + nationalDigits);
}
