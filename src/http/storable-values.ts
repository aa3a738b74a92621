import { ApiError, type FieldError } from '../errors.ts';

/** The maximum nesting depth of a body, in every encoding. */
export const maxDepth = 20;

/** Refuses the name `__proto__`: a form parser drops it silently, and in JSON it is never intended. */
export function refuseProtoName(names: string, path = '/body'): void {
  if (!names.includes('__proto__')) return;
  throw new ApiError('invalid_request', 'A field must not be named __proto__.', {
    errors: [{ path, code: 'unknown_field', message: 'must not be called __proto__' }],
  });
}

/** The error invalid_request for a body that nests deeper than `maxDepth`. */
export function tooDeep(path = '/body'): ApiError {
  return new ApiError('invalid_request', 'The body nests too deeply.', {
    errors: [{ path, code: 'too_deep', message: `must not nest deeper than ${maxDepth} levels` }],
  });
}

/** The location of a value. The path is built only when the value is refused. */
interface Place {
  within: Place | null;
  name: string | number;
}

/**
 * Refuses values that would be returned differently from what was sent: NUL and lone surrogates, which PostgreSQL does
 * not store, and numbers that JavaScript rounds.
 */
export function refuseUnstorable(value: unknown, path = '/body'): void {
  refuseAt(value, { within: null, name: path }, 0);
}

function refuseAt(value: unknown, place: Place, depth: number): void {
  if (typeof value === 'string') {
    if (isStorable(value)) return;
    throw refusal(place, 'A string contains a character that cannot be stored.', {
      code: 'invalid_characters',
      message: 'must hold no NUL and no lone surrogate',
    });
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
    throw refusal(place, 'A number is too large to be stored exactly. Send it as a string.', {
      code: 'not_exact',
      message: 'must be at most 9007199254740991, or a string',
    });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw tooDeep(pathOf(place));
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      // Most items are texts, and an array may have 100,000 of them: this skips a call for each.
      if (typeof item !== 'string' || !isStorable(item)) {
        refuseAt(item, { within: place, name: index }, depth + 1);
      }
    }
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__') refuseProtoName(name, pathOf(place));
    refuseAt(name, place, depth);
    refuseAt(inner, { within: place, name }, depth + 1);
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function pathOf({ within, name }: Place): string {
  return within ? `${pathOf(within)}/${name}` : String(name);
}

function refusal(place: Place, detail: string, error: Omit<FieldError, 'path'>): ApiError {
  return new ApiError('invalid_request', detail, { errors: [{ path: pathOf(place), ...error }] });
}

/**
 * Replaces what PostgreSQL does not store, NUL and halves of surrogate pairs, by U+FFFD. The gateway repeats a callback
 * that is refused, and then drops it.
 */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}
