import type { ContactFields } from './contact-fields.ts';

type SearchedFields = Omit<ContactFields, 'customFields'>;

/** The lines of the search text that come from each field; none for a field that searches do not match. */
const linesOf: { [Field in keyof SearchedFields]: (contact: SearchedFields) => string[] } = {
  phoneNumber: ({ phoneNumber }) => [phoneNumber, phoneNumber.replace(/^\+251/, '0')],
  // The two names are one line, so that a search for both matches.
  firstName: ({ firstName, lastName }) => [[firstName, lastName].filter((part) => part !== null).join(' ')],
  lastName: () => [],
  email: ({ email }) => [email ?? ''],
  company: ({ company }) => [company ?? ''],
  tags: ({ tags }) => tags,
};

/**
 * The text that searches match a contact by: name, number, e-mail address, company and tags, one per line, in
 * Unicode's NFC and lower case. An Ethiopian number is included in E.164 and with the leading 0 of its national form.
 */
export function searchTextOf(contact: SearchedFields): string {
  const lines = Object.values(linesOf).flatMap((ofField) => ofField(contact));
  return [...new Set(lines)]
    .filter((line) => line !== '')
    .map(fold)
    .join('\n');
}

/**
 * The texts that a search looks for: a contact matches if its search text contains any of them. No texts mean no
 * search. A text that looks like a number, or a part of one, is also searched for without its separators and in the
 * spelling of E.164: with + for the international prefix 00, and without the 0 that an Ethiopian number has only in
 * national format. A + that was not encoded arrives as a space. Nothing is missed then, because the digits after it
 * are a part of the number.
 */
export function searchNeedles(search: string): string[] {
  const text = fold(search);
  const compact = text.replace(/[\s().-]/g, '');
  const needles = /^\+?\d+$/.test(compact) ? [text, compact, toE164Spelling(compact)] : [text];
  return [...new Set(needles)].filter((needle) => needle !== '');
}

/**
 * Returns digits as they are written in E.164 if they are the beginning of a number. They may also be the middle of a
 * number, so this spelling is searched for in addition to the digits.
 */
export function toE164Spelling(digits: string): string {
  return digits.replace(/^00(?=[1-9])/, '+').replace(/^(\+?)2510(?=[1-9])/, '$1251');
}

/** Lower-casing may produce a text that is not in NFC, so it comes first. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFC').replace(/\s+/g, ' ').trim();
}
