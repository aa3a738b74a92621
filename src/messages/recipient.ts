import { parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * Why a recipient is refused: a stable code, and the text for the caller. The text is inserted into a sentence, so it
 * has no capital letter and no full stop.
 */
const refusals = {
  empty: 'it is empty',
  too_long: 'it is longer than any phone number',
  not_a_number:
    'it may contain only the digits 0-9, a leading + and separators (spaces, hyphens, dots, parentheses); ' +
    'SMS does not support extensions and letters',
  international_prefix: 'write + instead of the international prefix 00',
  country_code_missing:
    'it is neither an Ethiopian number (+251911234567, 0911234567 or 911234567; +251111234567, 0111234567 or ' +
    '111234567) nor a number that begins with + and a country code',
  plus_lost: 'its + arrived as a space; write + as %2B in a form body or a URL',
  impossible_number: 'it is not a possible E.164 number; check the country code and the number of digits',
} as const;

export type RecipientRefusal = keyof typeof refusals;

export type NormalizedRecipient =
  | { ok: true; /** Canonical E.164: `+` and 7 to 15 digits. */ e164: string }
  | {
      ok: false;
      code: RecipientRefusal;
      /** Part of a sentence: no capital, no full stop. */ reason: string;
    };

/** Well above the 16 characters that the API accepts, so that an imported contact may contain separators. */
const maxLength = 40;

/**
 * Characters that people and address books put between digits, and the invisible direction marks that are copied
 * together with a number from a phone. U+2010 to U+2015 are hyphens and dashes.
 */
const separators = /[\s().\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An Ethiopian number in any of its forms. The group is the national number. */
const ethiopianForms = /^(?:\+?251)?0?([1-9]\d{8})$/;

/**
 * Mobile numbers of Ethio Telecom (9) and Safaricom (7). This rule does not use the library, so that messages can be
 * sent to a block that is opened after the library's release.
 */
const ethiopianMobile = /^[79]/;

const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Normalizes a recipient to canonical E.164, or returns why it is invalid (specification section 1).
 *
 * Accepted: a valid Ethiopian number, mobile or fixed, in E.164, National (leading 0) or Local form, any nine digits
 * that begin with 9 or 7 in these forms, and any possible number in E.164. Separators are removed first. Further rules:
 * - `251911234567` is accepted: no Ethiopian number has twelve digits. A form body whose `+` was not encoded contains
 *   an E.164 number in this form.
 * - `+2510911234567` is accepted, as in libphonenumber: no national number begins with 0, so the 0 is the trunk prefix
 *   that people write as (0).
 * - `00251911234567` is refused. With one extra leading 0, `0951234567` would otherwise become a number in Myanmar, and
 *   the message would be sent there.
 * - A number of another country in its national form is refused: its country would be a guess.
 * - `0161234567` is refused: no Ethiopian number begins with 16. `+251161234567` is accepted, because it is a possible
 *   number in E.164.
 * - Digits other than 0-9, letters and extensions are refused, although libphonenumber accepts them.
 *
 * A number is possible if its country has numbers of this length. libphonenumber's `min` metadata has the same lengths
 * as `max` (both agreed on 600,000 random numbers). Whether a block is assigned, which only `max` contains, is not
 * checked.
 *
 * @param input any string; the function never throws
 */
export function normalizeRecipient(input: string): NormalizedRecipient {
  if (input.length > maxLength) return refuse('too_long');
  // `+44 (0) 7911 123456`: the (0) is dialled only within the country.
  const compact = input.replace(/^(\s*\+\d{1,3}[\s-]*)\(0\)/, '$1').replace(separators, '');
  if (compact === '') return refuse('empty');
  if (!/^\+?[0-9]+$/.test(compact)) return refuse('not_a_number');

  const ethiopian = toEthiopian(compact);
  if (ethiopian !== null) return { ok: true, e164: ethiopian };
  if (compact.startsWith('00')) return refuse('international_prefix');
  if (!compact.startsWith('+')) return refuse(/^\s\d/.test(input) ? 'plus_lost' : 'country_code_missing');

  const canonical = toE164(compact);
  return canonical === null ? refuse('impossible_number') : { ok: true, e164: canonical };
}

function toEthiopian(compact: string): string | null {
  const national = ethiopianForms.exec(compact)?.[1];
  if (national === undefined) return null;
  const number = `+251${national}`;
  return ethiopianMobile.test(national) || parsePhoneNumberFromString(number)?.isValid() ? number : null;
}

function toE164(text: string): string | null {
  const number = parsePhoneNumberFromString(text);
  if (!number?.isPossible() || !e164.test(number.number)) return null;
  // The library removes digits that it considers a trunk prefix. A number in E.164 has none, so a number that the
  // library would change is not the number that the caller meant: +1 1111111111 with an extra 1 would reach another
  // person.
  return number.number === text ? text : null;
}

function refuse(code: RecipientRefusal): NormalizedRecipient {
  return { ok: false, code, reason: refusals[code] };
}
