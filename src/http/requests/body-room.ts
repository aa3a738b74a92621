import { ApiError, type FieldError } from '../../errors.ts';
import type { JsonSchema } from '../contract/json-schema.ts';

/** How much a body may contain, derived from its schema. A body that exceeds this is refused before it is parsed. */
export interface BodyRoom {
  /** The number of JSON values: scalars, arrays and objects, at any depth. */
  values: number;
  /** The number of form fields. */
  formFields: number;
}

/** Values beyond those that the schema names, so that a body with a few mistakes gets an error for each field. */
const spareValues = 1000;

/** The maximum number of values in an object whose field names the caller chooses. */
const freeFormValues = 10_000;

/** @param resolve follows `$ref`: `Contract.resolve` */
export function roomFor(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): BodyRoom {
  return {
    values: spareValues + capacityOf(schema, freeFormValues),
    formFields: spareValues + capacityOf(schema, 0),
  };

  function capacityOf(unresolved: JsonSchema, freeForm: number): number {
    const { allOf = [], properties = {}, additionalProperties, items, maxItems } = resolve(unresolved);
    const parts = [...allOf, ...Object.values(properties)].map((part) => capacityOf(part, freeForm));
    const ofItems = items ? (maxItems ?? freeForm) * capacityOf(items, freeForm) : 0;
    return parts.reduce((sum, part) => sum + part, 1 + ofItems + (additionalProperties ? freeForm : 0));
  }
}

const [quote, backslash, comma, bracket, brace, closingBracket, closingBrace] = Buffer.from('"\\,[{]}');

/**
 * Counts the values of a JSON text by its commas and by the opening brackets of arrays and objects that are not empty.
 * This costs a fraction of parsing. The count stops beyond `most`.
 */
export function countJsonValues(json: Uint8Array, most: number): number {
  let count = 1;
  let isInString = false;
  for (let index = 0; index < json.length && count <= most; index += 1) {
    const byte = json[index];
    if (byte === quote) isInString = !isInString;
    else if (isInString) {
      if (byte === backslash) index += 1;
    } else if (byte === comma || opensSomething(byte, json[index + 1])) count += 1;
  }
  return count;
}

function opensSomething(byte: number | undefined, next: number | undefined): boolean {
  return (byte === bracket || byte === brace) && next !== closingBracket && next !== closingBrace;
}

/**
 * Refuses arrays and texts that are longer than their schema allows, without reading their content: the validator
 * would count the characters of 8 MiB one by one, and more than once. Error: invalid_request.
 *
 * @param body parsed, within the size that `roomFor` allows
 */
export function refuseOversize(
  body: unknown,
  unresolved: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
  path = '/body',
): void {
  const { allOf = [], properties = {}, maxItems, maxLength } = resolve(unresolved);
  for (const part of allOf) refuseOversize(body, part, resolve, path);
  if (Array.isArray(body)) {
    if (body.length > (maxItems ?? Infinity)) throw oversize(path, 'too_many', `${maxItems} items`);
  } else if (typeof body === 'string') {
    // A character has at most two code units.
    if (body.length > 2 * (maxLength ?? Infinity))
      throw oversize(path, 'too_long', `${maxLength} characters`);
  } else if (typeof body === 'object' && body !== null) {
    for (const [name, property] of Object.entries(properties)) {
      if (!Object.hasOwn(body, name)) continue;
      refuseOversize((body as Record<string, unknown>)[name], property, resolve, `${path}/${name}`);
    }
  }
}

function oversize(path: string, code: FieldError['code'], most: string): ApiError {
  return new ApiError('invalid_request', 'The request breaks a rule of the interface; see errors.', {
    errors: [{ path, code, message: `must NOT have more than ${most}` }],
  });
}

/** The error invalid_request for a body with more than `most` values or, in a form, fields. */
export function tooManyValues(most: number): ApiError {
  return new ApiError('invalid_request', `The body has more than ${most} values.`, {
    errors: [{ path: '/body', code: 'too_many', message: `must hold at most ${most} values` }],
  });
}
