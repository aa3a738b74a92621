import type { ContactFields } from './contact-fields.ts';

/**
 * The text in which a search finds a contact: name, number, e-mail address, company and tags, one a line, in
 * Unicode's NFC and without case. An Ethiopian number is in it as E.164 and with the leading 0 of its national form.
 */
export function searchTextOf(contact: Omit<ContactFields, 'customFields'>): string {
  const { phoneNumber, firstName, lastName, email, company, tags } = contact;
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  const lines = [phoneNumber, phoneNumber.replace(/^\+251/, '0'), name, email ?? '', company ?? '', ...tags];
  return [...new Set(lines)]
    .filter((line) => line !== '')
    .map(fold)
    .join('\n');
}

/**
 * What a search looks for: any of these in the text above; none means that nothing is searched for. What looks
 * like a number, or a part of one, is also looked for without its separators, and in the spelling of E.164:
 * with + for the international prefix 00, and without the 0 that an Ethiopian number has at home only. Of a + that
 * was not encoded and came as a space nothing is missed, for what follows it is a part of the number.
 */
export function searchNeedles(search: string): string[] {
  const text = fold(search);
  const compact = text.replace(/[\s().-]/g, '');
  const needles = /^\+?\d+$/.test(compact) ? [text, compact, toE164Spelling(compact)] : [text];
  return [...new Set(needles)].filter((needle) => needle !== '');
}

/**
 * Digits as they would stand in E.164 if they are the beginning of a number. They may also be the middle of one, so
 * this is looked for beside them.
 */
export function toE164Spelling(digits: string): string {
  return digits.replace(/^00(?=[1-9])/, '+').replace(/^(\+?)2510(?=[1-9])/, '$1251');
}

/** Lower case may take a text out of NFC, so it comes first. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFC').replace(/\s+/g, ' ').trim();
}
