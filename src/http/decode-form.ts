import qs from 'qs';
import { ApiError } from '../errors.ts';
import type { Contract, JsonSchema } from './contract.ts';
import { maxDepth, refuseProtoName } from './what-can-be-kept.ts';

type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type FormFields = Record<string, FormValue>;

/** Fields a form may have: a phonebook of 100,000 contacts, one field each, is the largest there is. */
export const maxFormFields = 100_100;

/** Fields called name[0], name[1], … that a form may have: each makes qs go through all of those before it. */
const maxNumberedFields = 1000;

/**
 * Fields of one name are gathered before brackets are resolved: qs would copy the list anew for each field, and a
 * phonebook of 100,000 contacts, or a form made for it, would take a minute of nothing else.
 */
export function parseBrackets(text: string): FormFields {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxFormFields) {
    throw new ApiError('payload_too_large', `The form may have ${maxFormFields} fields.`);
  }
  let numbered = 0;
  for (const pair of pairs) {
    const separator = pair.indexOf('=');
    const name = decodeText(separator < 0 ? pair : pair.slice(0, separator));
    const value = separator < 0 ? '' : decodeText(pair.slice(separator + 1));
    refuseProtoName(name);
    if (/\[\d+\]/.test(name) && (numbered += 1) > maxNumberedFields) {
      throw new ApiError(
        'malformed_body',
        `Write name[] for more than ${maxNumberedFields} items, not name[0].`,
      );
    }
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return qs.parse(fields as never, {
    depth: maxDepth,
    strictDepth: true,
    parameterLimit: maxFormFields,
    arrayLimit: maxFormFields,
    allowPrototypes: false,
    plainObjects: true,
    strictNullHandling: false,
  }) as FormFields;
}

/** What cannot be decoded is refused: left as it is, it would be sent as `%ff`. */
function decodeText(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}

/** Turns the strings of a form into what the schema says they are; what does not fit stays for the validator. */
export function decodeForm(fields: FormFields, schema: JsonSchema, contract: Contract): unknown {
  const { properties = {} } = contract.resolve(schema);
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields ?? {})) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    body[name] = property ? decodeValue(value, property, contract) : value;
  }
  return body;
}

function decodeValue(value: FormValue, unresolved: JsonSchema, contract: Contract): unknown {
  const schema = contract.resolve(unresolved);
  const types = [schema.type ?? []].flat();
  if (value === '' && types.includes('null')) return null;
  if (types.includes('array')) {
    // No item at all can only be said by an empty field.
    if (value === '') return [];
    const items = typeof value === 'string' ? (parseJson(value, '[') ?? [value]) : value;
    if (!Array.isArray(items)) return items;
    return schema.items
      ? items.map((item) => decodeValue(item as FormValue, schema.items!, contract))
      : items;
  }
  if (types.includes('object')) {
    if (typeof value === 'string') return parseJson(value, '{') ?? value;
    if (Array.isArray(value) || !schema.properties) return value;
    return decodeForm(value, schema, contract);
  }
  if (typeof value !== 'string' || types.includes('string')) return value;
  if (types.includes('integer') && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function parseJson(text: string, opening: '{' | '['): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
