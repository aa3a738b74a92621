import type { Schemas } from '../http/contract/contract-types.ts';

/**
 * Merge fields of templates and bulk texts: `{{firstName}}`, or with a default for contacts
 * without a value, `{{firstName|there}}`. Spaces around the name and the default are ignored. A default is text,
 * never another field, and the values of a contact are never read as fields either. A `}}` that closes nothing is text.
 */

/** The fields of a contact that a text may show, in addition to `customFields.` and a name. */
const mergeableFields = ['firstName', 'lastName', 'company'] as const;

export type MergeableField = (typeof mergeableFields)[number];

export function isMergeableField(name: string): name is MergeableField {
  return (mergeableFields as readonly string[]).includes(name);
}

const customPrefix = 'customFields.';

/** The placeholder for the code in templates of security codes. */
const codeField = 'code';

/** `firstName`, `customFields.points`, with the default. */
export type MergeField = Schemas['Template']['mergeFields'][number];

/** A problem with a text, and its position. */
export interface MergeFieldProblem {
  code: 'unknown_merge_field' | 'malformed_merge_field' | 'unclosed_merge_field';
  /** Where the field begins, in code points from the beginning of the text; the first is 0. */
  position: number;
  /** The end of a sentence: no capital, no full stop. */
  message: string;
}

export interface ParsedText {
  /** Texts and fields in order; together they are the whole text. A field with a problem is kept as text. */
  parts: (string | MergeField)[];
  /** The first `maxProblems` in order of appearance. A text with problems must not be sent. */
  problems: MergeFieldProblem[];
  /** How many problems there are, told or not. */
  problemCount: number;
}

/** The most problems that are described. A text of 4,800 characters can have 2,400. */
export const maxProblems = 20;

/** The values of a contact to fill in. If a value is missing, null or blank, the field's default is used. */
export interface MergeValues {
  firstName?: string | null;
  lastName?: string | null;
  company?: string | null;
  customFields?: Record<string, unknown> | null;
  /** Only for security codes. */
  code?: string;
}

/**
 * Parses a text, and checks for every field whether it can be filled in.
 *
 * @param options.allowsCode whether `{{code}}` is a field, as in templates of category otp; it has no default,
 * because a code that anyone can guess protects nothing
 */
export function parseMergeFields(text: string, options: { allowsCode?: boolean } = {}): ParsedText {
  const parts: ParsedText['parts'] = [];
  const problems: MergeFieldProblem[] = [];
  let problemCount = 0;
  let counted = { index: 0, position: 0 };
  let end = 0;
  for (const match of text.matchAll(/\{\{(?<inner>(?:(?!\{\{|\}\}).)*)(?<close>\}\})?/gs)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const { inner, close } = match.groups ?? {};
    const field = inner !== undefined && close !== undefined ? readField(inner) : null;
    const problem = findProblem(field, options.allowsCode ?? false);
    if (problem && (problemCount += 1) <= maxProblems) {
      const position = counted.position + Array.from(text.slice(counted.index, match.index)).length;
      counted = { index: match.index, position };
      problems.push({ ...problem, position, message: `${problem.message}, at character ${position + 1}` });
    }
    parts.push(problem || !field ? match[0] : field);
  }
  if (end < text.length) parts.push(text.slice(end));
  return { parts, problems, problemCount };
}

/** Fills in a parsed text: every field is replaced by the contact's value, else by its default, else by nothing. */
export function renderMergeFields({ parts }: ParsedText, values: MergeValues): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : (findValue(part.name, values) ?? part.default ?? '')))
    .join('');
}

/** The fields of a parsed text in order of appearance; each pair of field and default is listed once. */
export function listMergeFields({ parts }: ParsedText): MergeField[] {
  const fields = parts.filter((part) => typeof part !== 'string');
  return [...new Map(fields.map((field) => [`${field.name}|${field.default ?? ''}`, field])).values()];
}

function readField(inner: string): MergeField {
  const bar = inner.indexOf('|');
  if (bar === -1) return { name: inner.trim(), default: null };
  return { name: inner.slice(0, bar).trim(), default: inner.slice(bar + 1).trim() };
}

function findProblem(
  field: MergeField | null,
  allowsCode: boolean,
): Omit<MergeFieldProblem, 'position'> | null {
  if (field === null) {
    return { code: 'unclosed_merge_field', message: `opens a merge field that is not closed by }}` };
  }
  const { name } = field;
  if (name === '') return { code: 'malformed_merge_field', message: 'has a merge field without a name' };
  if (name === codeField && allowsCode) {
    if (field.default === null) return null;
    return { code: 'malformed_merge_field', message: 'has a default for {{code}}, which takes none' };
  }
  if (isMergeableField(name) || isCustomField(name)) return null;
  return {
    code: 'unknown_merge_field',
    message: `has an unknown merge field “${name}”; the known fields are ${knownFields(allowsCode)}`,
  };
}

function isCustomField(name: string): boolean {
  return name.startsWith(customPrefix) && name.length > customPrefix.length && !/[{}]/.test(name);
}

function knownFields(allowsCode: boolean): string {
  return [...mergeableFields, `${customPrefix}x`, ...(allowsCode ? [codeField] : [])].join(', ');
}

function findValue(name: string, values: MergeValues): string | null {
  const [from, key] = name.startsWith(customPrefix)
    ? [values.customFields ?? {}, name.slice(customPrefix.length)]
    : [values, name];
  // A custom field may have a name like toString; a property of the prototype does not count.
  const value: unknown = Object.hasOwn(from, key) ? (from as Record<string, unknown>)[key] : null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
