import qs from 'qs';
import { ApiError } from '../errors.ts';
import { countJsonValues, tooManyValues } from './body-room.ts';
import type { Contract } from './contract.ts';
import type { JsonSchema } from './json-schema.ts';
import { typesOf } from './drop-absent.ts';
import { pauseAfter } from './pause-after.ts';
import { decodePercents } from './percent-encoding.ts';
import { maxDepth, refuseProtoName } from './storable-values.ts';

type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type FormFields = Record<string, FormValue>;

/** The maximum number of fields named name[0], name[1], …: for each of them qs iterates over all previous ones. */
export const maxNumberedFields = 1000;

/**
 * The maximum number of different field names in a form, with or without brackets, because qs merges name by name. The
 * total number of fields has its own limit.
 */
const maxNames = 2000;

/** After this number of fields, other requests have their turn. */
const fieldsATurn = 5000;

const [ampersand, plus, space] = Buffer.from('&+ ');

/**
 * Reads application/x-www-form-urlencoded, with nested fields in brackets.
 *
 * Fields of the same name are collected before brackets are resolved: qs would copy the list again for each field, and
 * a phonebook of 100,000 contacts, or a form crafted for this, would block the process for a minute.
 *
 * @param form the bytes of the form, UTF-8; they are modified
 * @param mostFields the maximum number of fields; a form with more is refused before it is parsed
 */
export async function parseForm(form: Buffer, mostFields: number): Promise<FormFields> {
  if (makeSpaces(form, mostFields) > mostFields) throw tooManyValues(mostFields);
  await pauseAfter(form.length);
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  const pairs = form
    .toString()
    .split('&')
    .filter((pair) => pair !== '');
  let [names, numbered] = [0, 0];
  for (const [index, pair] of pairs.entries()) {
    if (index % fieldsATurn === 0) await pauseAfter(form.length);
    const separator = pair.indexOf('=');
    const name = decodePercents(separator < 0 ? pair : pair.slice(0, separator));
    const value = separator < 0 ? '' : decodePercents(pair.slice(separator + 1));
    refuseProtoName(name);
    if (/\[\d+\]/.test(name) && (numbered += 1) > maxNumberedFields) throw tooManyNumbered();
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) fields[name] = [before, value];
    else if ((names += 1) > maxNames) throw tooManyValues(maxNames);
    else fields[name] = value;
  }
  await pauseAfter(form.length);
  return qs.parse(fields as never, {
    depth: maxDepth,
    strictDepth: true,
    parameterLimit: mostFields,
    arrayLimit: mostFields,
    allowPrototypes: false,
    plainObjects: true,
    strictNullHandling: false,
  }) as FormFields;
}

/** Replaces each `+` by a space, which it encodes in a form. Returns the number of fields, counted up to `most + 1`. */
function makeSpaces(form: Buffer, most: number): number {
  let fields = 1;
  for (let index = 0; index < form.length && fields <= most; index += 1) {
    if (form[index] === plus) form[index] = space!;
    else if (form[index] === ampersand) fields += 1;
  }
  return fields;
}

export function tooManyNumbered(): ApiError {
  return new ApiError(
    'malformed_body',
    `For more than ${maxNumberedFields} items, use name[] instead of name[0].`,
  );
}

/**
 * Converts the strings of a form to the types of the schema. A value that does not fit is left for the validator. An
 * empty field counts as absent; `dropAbsent` describes the exceptions.
 *
 * @param mostValues the maximum number of values in the JSON of one field
 */
export function decodeForm(
  fields: FormFields,
  unresolved: JsonSchema,
  contract: Contract,
  mostValues: number,
): unknown {
  const { properties = {}, required = [] } = contract.resolve(unresolved);
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields ?? {})) {
    // It would become the prototype of the body, and its fields would pass for the body's own.
    refuseProtoName(name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) body[name] = value;
    else if (value !== '' || required.includes(name)) body[name] = decodeValue(value, property);
    else if (typesOf(property, contract).includes('null')) body[name] = null;
  }
  return body;

  function decodeValue(value: FormValue, unresolvedValue: JsonSchema): unknown {
    const schema = contract.resolve(unresolvedValue);
    const types = typesOf(schema, contract);
    if (value === '' && types.includes('null')) return null;
    if (types.includes('array')) {
      // `[]` expresses a list without items. An empty field gives a required list no value.
      if (value === '') return value;
      const items = typeof value === 'string' ? (parseJson(value, '[') ?? [value]) : value;
      if (!Array.isArray(items) || !schema.items) return items;
      return items.map((item) => decodeValue(item as FormValue, schema.items!));
    }
    if (types.includes('object')) {
      if (typeof value === 'string') return parseJson(value, '{') ?? value;
      if (Array.isArray(value) || !schema.properties) return value;
      return decodeForm(value, schema, contract, mostValues);
    }
    if (typeof value !== 'string' || types.includes('string')) return value;
    if (types.includes('integer') && /^-?\d{1,15}$/.test(value)) return Number(value);
    if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
    if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
    return value;
  }

  function parseJson(text: string, opening: '{' | '['): unknown {
    if (!text.trimStart().startsWith(opening)) return undefined;
    if (countJsonValues(Buffer.from(text), mostValues) > mostValues) throw tooManyValues(mostValues);
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}
