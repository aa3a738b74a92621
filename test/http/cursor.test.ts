import * as fc from 'fast-check';
import { ApiError } from '../../src/errors.ts';
import { decodeCursor, encodeCursor } from '../../src/http/cursor.ts';

/** What a path can have in it: the names of lists have no space. */
const list = fc.stringMatching(/^[a-z0-9%/-]{1,40}$/);
const position = fc.stringMatching(/^[\x20-\x7e]{0,60}$/);

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return undefined;
}

test('a cursor gives back the position that it was made of, and can stand in a URL as it is', () => {
  fc.assert(
    fc.property(list, position, (name, at) => {
      const cursor = encodeCursor(name, at);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(decodeCursor(name, cursor)).toBe(at);
    }),
  );
});

test('the cursor of a list is refused by every other list', () => {
  fc.assert(
    fc.property(list, list, position, (name, other, at) => {
      fc.pre(name !== other);
      expect(refusalOf(() => decodeCursor(other, encodeCursor(name, at)))).toBe('invalid_request');
    }),
  );
});

test('the cursor of a list is refused by a list whose name begins like it', () => {
  const cursor = encodeCursor('contacts', 'x');
  expect(refusalOf(() => decodeCursor('contact', cursor))).toBe('invalid_request');
  expect(refusalOf(() => decodeCursor('contacts/x', cursor))).toBe('invalid_request');
});

test('whatever is sent as a cursor, text or not, is refused as invalid_request', () => {
  const sent = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.string()),
  );
  fc.assert(
    fc.property(sent, (cursor) => {
      expect(refusalOf(() => decodeCursor('contacts', cursor))).toBe('invalid_request');
    }),
    { numRuns: 500 },
  );
});
