import { ApiError } from '../../errors.ts';
import { countJsonValues, tooManyValues } from './body-room.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonSchema } from '../contract/json-schema.ts';
import { typesOf } from './drop-absent.ts';
import { collectFields, type Form, type FormNode, type FormPair } from './form-names.ts';
import { pauseAfter } from '../pause-after.ts';
import { decodePercents } from './percent-encoding.ts';

const [ampersand, plus, space] = Buffer.from('&+ ');

/**
 * Splits application/x-www-form-urlencoded into its fields, which are decoded one by one as they are taken.
 *
 * @param form the bytes of the form, UTF-8; they are modified
 * @param mostFields the maximum number of fields; a form with more is refused before it is split
 */
export async function splitForm(form: Buffer, mostFields: number): Promise<Form> {
  if (makeSpaces(form, mostFields) > mostFields) throw tooManyValues(mostFields);
  await pauseAfter(form.length);
  const pairs = form.toString().split('&');
  await pauseAfter(form.length);
  return { pairs: decodePairs(pairs), bytes: form.length };
}

function* decodePairs(pairs: string[]): Generator<FormPair> {
  for (const pair of pairs) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    yield [
      decodePercents(separator < 0 ? pair : pair.slice(0, separator)),
      separator < 0 ? '' : decodePercents(pair.slice(separator + 1)),
    ];
  }
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

/**
 * Turns a form into the JSON that its schema describes: names in brackets become properties of objects and items of
 * lists, and texts become values of other types. A value that does not fit is left for the validator. An empty field
 * counts as absent; `dropAbsent` describes the exceptions. These forms have the same tags:
 *
 * - `tags=a&tags=b`
 * - `tags[]=a&tags[]=b`
 * - `tags[0]=a&tags[1]=b`
 * - `tags=["a","b"]`
 *
 * Where the schema leaves the shape open, names in brackets are the positions of a list if they count from 0 without a
 * gap, and otherwise properties of an object.
 *
 * Errors: those of `collectFields`; invalid_request for a field that has a value and parts.
 *
 * @param mostValues the maximum number of values in the JSON of one field
 */
export async function decodeForm(
  form: Form,
  bodySchema: JsonSchema,
  contract: Pick<Contract, 'resolve'>,
  mostValues: number,
): Promise<unknown> {
  return decodeObject(await collectFields(form), bodySchema);

  function decodeObject({ parts }: FormNode, unresolved: JsonSchema): object {
    const { properties = {}, required = [] } = contract.resolve(unresolved);
    const object: Record<string, unknown> = {};
    for (const [name, node] of parts) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!property) object[name] = decodeNode(node, {});
      else if (onlyText(node) !== '' || required.includes(name)) object[name] = decodeNode(node, property);
      else if (typesOf(property, contract).includes('null')) object[name] = null;
    }
    return object;
  }

  function decodeNode(node: FormNode, unresolved: JsonSchema): unknown {
    const text = onlyText(node);
    if (text !== undefined) return decodeText(text, unresolved);
    const schema = contract.resolve(unresolved);
    if (readsAsList(node, typesOf(schema, contract))) return decodeList(node, schema.items ?? {});
    if (node.values.length > 0) throw wholeAndParts(node);
    return decodeObject(node, schema);
  }

  /** Items without a position take the places that are free, in their order. Other gaps are closed. */
  function decodeList({ values, parts }: FormNode, items: JsonSchema): unknown[] {
    const withoutPosition = values.map((value) => decodeText(value, items));
    const inOrder = [...parts].sort(([one], [other]) => Number(one) - Number(other));
    const list: unknown[] = [];
    let taken = 0;
    for (const [position, node] of inOrder) {
      while (list.length < Number(position) && taken < withoutPosition.length) {
        list.push(withoutPosition[taken++]);
      }
      list.push(decodeNode(node, items));
    }
    return list.concat(withoutPosition.slice(taken));
  }

  function decodeText(text: string, unresolved: JsonSchema): unknown {
    const schema = contract.resolve(unresolved);
    const types = typesOf(schema, contract);
    if (text === '' && types.includes('null')) return null;
    if (types.includes('array')) {
      // `[]` expresses a list without items. An empty field gives a required list no value.
      if (text === '') return text;
      const items = (parseJson(text, '[') ?? [text]) as unknown[];
      return items.map((item) => (typeof item === 'string' ? decodeText(item, schema.items ?? {}) : item));
    }
    if (types.includes('object')) return parseJson(text, '{') ?? text;
    if (types.includes('string')) return text;
    if (types.includes('integer') && /^-?\d{1,15}$/.test(text)) return Number(text);
    if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
    if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
    return text;
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

/** The text of a field that occurs once, without brackets. */
function onlyText({ values, isList, parts }: FormNode): string | undefined {
  return values.length === 1 && !isList && parts.size === 0 ? values[0] : undefined;
}

/**
 * Whether a field with several values, or with names in brackets, is a list: by its schema, by the absence of names, or,
 * where the schema says nothing, because its names count from 0.
 */
function readsAsList({ parts, isList, values }: FormNode, types: string[]): boolean {
  const names = [...parts.keys()];
  if (types.includes('object')) return names.length === 0;
  const places = names.length + (isList ? values.length : 0);
  return names.every((name) => isPosition(name) && (types.includes('array') || Number(name) < places));
}

function isPosition(name: string): boolean {
  return /^(0|[1-9]\d{0,14})$/.test(name);
}

function wholeAndParts({ path }: FormNode): ApiError {
  return new ApiError('invalid_request', 'A field is sent both as a whole and in parts; see errors.', {
    errors: [{ path, code: 'wrong_type', message: 'must have either a value or names in brackets' }],
  });
}
