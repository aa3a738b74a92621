import { ApiError } from '../errors.ts';

/** How deep a body may nest, in every encoding. */
export const maxDepth = 20;

/** A form parser drops it in silence, and in JSON it is never meant. */
export function refuseProtoName(names: string, path = '/body'): void {
  if (!names.includes('__proto__')) return;
  throw new ApiError('invalid_request', 'No field can be called __proto__.', {
    errors: [{ path, code: 'unknown_field', message: 'must not be called __proto__' }],
  });
}

/**
 * Refuses what would not come back as it was sent: NUL and half a surrogate pair, which PostgreSQL does not
 * store, and numbers that JavaScript rounds.
 */
export function refuseWhatCannotBeKept(value: unknown, path = '/body', depth = 0): void {
  if (
    typeof value === 'number' &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    throw new ApiError('invalid_request', 'A number is too large to be kept exactly; send it as a string.', {
      errors: [{ path, code: 'not_exact', message: 'must be at most 9007199254740991, or a string' }],
    });
  }
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return;
    throw new ApiError('invalid_request', 'A string holds a character that cannot be stored.', {
      errors: [{ path, code: 'invalid_characters', message: 'must hold no NUL and no lone surrogate' }],
    });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) {
    throw new ApiError('invalid_request', 'The body nests too deeply.', {
      errors: [{ path, code: 'too_deep', message: `must not nest deeper than ${maxDepth} levels` }],
    });
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') refuseProtoName(key, path);
    refuseWhatCannotBeKept(key, path, depth + 1);
    refuseWhatCannotBeKept(inner, `${path}/${key}`, depth + 1);
  }
}
