import type { FieldError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { normalizeRecipient } from '../messages/recipient.ts';

/** Any JSON values by any names. */
export type CustomFields = Schemas['CustomFields'];

/** The fields of a contact. phoneNumber is E.164. Tags are trimmed; the other texts are kept as given. */
export type ContactFields = Omit<
  Schemas['Contact'],
  'id' | 'organizationId' | 'phoneVerifiedAt' | 'createdAt' | 'updatedAt'
>;

/** The given fields of a contact: undefined leaves a field as it is, null or an empty text clears it. */
export type ContactInput = Omit<Schemas['ContactInput'], 'organizationId'>;

/** The fields whose value is a text or null. */
type TextField = {
  [Field in keyof ContactFields]: ContactFields[Field] extends string | null
    ? null extends ContactFields[Field]
      ? Field
      : never
    : never;
}[keyof ContactFields];

/** The maximum number of characters of each text (specification section 2), counted as Unicode code points. */
export const textLimits: Readonly<Record<TextField, number>> = {
  firstName: 100,
  lastName: 100,
  email: 320,
  company: 160,
};

/** From specification section 2. The limit of customFields, as JSON in UTF-8, is our own. */
export const contactLimits = { tags: 100, tagLength: 80, customFieldsBytes: 16 * 1024 } as const;

export const emptyContact: Omit<ContactFields, 'phoneNumber'> = {
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  tags: [],
  customFields: {},
};

/** The problem with one field; `field` is a name of ContactInput. */
export interface ContactProblem {
  field: string;
  code: FieldError['code'];
  /** Follows the field's name in a sentence. */
  message: string;
}

/**
 * Normalizes the given fields of a contact to the form in which they are stored, and merges them into the known
 * fields. The same rules apply to the API and to imports. Tags are trimmed, and each tag is kept once. Other texts are
 * kept as given, spaces included, and only their length is checked: the mail sender decides which
 * addresses are valid.
 *
 * @returns the whole contact, or all problems of the given fields
 */
export function mergeContact(
  known: Omit<ContactFields, 'phoneNumber'>,
  input: ContactInput,
): { ok: true; fields: ContactFields } | { ok: false; problems: ContactProblem[] } {
  const problems: ContactProblem[] = [];
  const number = normalizeRecipient(input.phoneNumber);
  if (!number.ok) {
    problems.push({ field: 'phoneNumber', code: 'invalid_recipient', message: number.reason });
  }
  const texts = {} as Record<TextField, string | null>;
  for (const name of Object.keys(textLimits) as TextField[]) {
    texts[name] = input[name] === undefined ? known[name] : readText(name, input[name], problems);
  }
  const tags = input.tags === undefined ? known.tags : readTags(input.tags ?? [], problems);
  const customFields =
    input.customFields === undefined ? known.customFields : readCustomFields(input.customFields, problems);
  if (!number.ok || problems.length > 0) return { ok: false, problems };
  return { ok: true, fields: { ...texts, tags, customFields, phoneNumber: number.e164 } };
}

/** Converts problems to the errors of a request's body. */
export function toFieldErrors(problems: ContactProblem[]): FieldError[] {
  return problems.map(({ field, code, message }) => ({ path: `/body/${field}`, code, message }));
}

function readText(field: TextField, value: string | null, problems: ContactProblem[]): string | null {
  const text = value ?? '';
  if (isLongerThan(text, textLimits[field])) problems.push(tooLong(field, textLimits[field]));
  return text === '' ? null : text;
}

function readTags(tags: string[], problems: ContactProblem[]): string[] {
  const { tags: maxTags, tagLength } = contactLimits;
  const trimmed = [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '');
  if (trimmed.length > maxTags) {
    problems.push({ field: 'tags', code: 'too_many', message: `must NOT have more than ${maxTags} items` });
  }
  if (trimmed.some((tag) => isLongerThan(tag, tagLength))) problems.push(tooLong('tags', tagLength));
  return trimmed;
}

function readCustomFields(fields: CustomFields, problems: ContactProblem[]): CustomFields {
  const { customFieldsBytes } = contactLimits;
  if (Buffer.byteLength(JSON.stringify(fields)) > customFieldsBytes) {
    const message = `must NOT have more than ${customFieldsBytes} bytes of custom fields`;
    problems.push({ field: 'customFields', code: 'too_long', message });
  }
  return fields;
}

function tooLong(field: string, characters: number): ContactProblem {
  return { field, code: 'too_long', message: `must NOT have more than ${characters} characters` };
}

/** Counts code points, but only when the cheaper count of code units does not decide. */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > characters && Array.from(text).length > characters;
}
