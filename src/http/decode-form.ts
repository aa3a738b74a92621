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

/** Fields called name[0], name[1], … that a form may have: each makes qs go through all of those before it. */
export const maxNumberedFields = 1000;

/** Names that a form may have in brackets or without, each as often as there is room: qs merges name by name. */
const maxNames = 2000;

/** After so many fields others have their turn. */
const fieldsATurn = 5000;

const [ampersand, plus, space] = Buffer.from('&+ ');

/**
 * Reads application/x-www-form-urlencoded, with nested fields in brackets.
 *
 * Fields of one name are gathered before brackets are resolved: qs would copy the list anew for each field, and a
 * phonebook of 100,000 contacts, or a form made for it, would take a minute of nothing else.
 *
 * @param form its bytes, UTF-8; they are changed
 * @param mostFields beyond which it is refused, before anything is made of it
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

/** Puts a space for each `+`, which stands for one in a form. Answers how many fields there are, if not beyond `most`. */
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
    `Write name[] for more than ${maxNumberedFields} items, not name[0].`,
  );
}

/**
 * Turns the strings of a form into what the schema says they are; what does not fit stays for the validator. An empty
 * field is as good as not given: `dropAbsent` says when it is not.
 *
 * @param mostValues that the JSON in one field may hold
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
      // No item at all is said by `[]`; an empty field gives a required list no value.
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
