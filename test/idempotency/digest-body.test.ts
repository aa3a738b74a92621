import * as fc from 'fast-check';
import { digestBody, readIdempotencyKeyUse } from '../../src/idempotency/idempotency-key-use.ts';

test.each<[what: string, one: object, other: object]>([
  ['another value', { to: '1' }, { to: '2' }],
  ['another field', { to: '1' }, { from: '1' }],
  ['one more field', { to: '1' }, { to: '1', text: 'x' }],
  ['a number and a string', { n: 1 }, { n: '1' }],
  ['null and no field', { n: null }, {}],
  ['a list in another order', { list: [1, 2] }, { list: [2, 1] }],
  ['a list and an object', { a: ['x'] }, { a: { 0: 'x' } }],
  ['an empty list and an empty object', { a: [] }, { a: {} }],
  ['a list of a pair and an object', { a: [['x', 1]] }, { a: { x: 1 } }],
  [
    'an object, and a list of its pairs under the name of its form',
    { a: { x: 1 } },
    { a: { fields: [['x', 1]] } },
  ],
  [
    'an organization deeper inside',
    { metadata: { organizationId: '1' } },
    { metadata: { organizationId: '2' } },
  ],
])('%s makes another digest', (_what, one, other) => {
  expect(digestBody(one)).not.toBe(digestBody(other));
});

test.each<[what: string, one: object, other: object]>([
  ['the order of fields', { a: 1, b: 2, c: 3 }, { c: 3, a: 1, b: 2 }],
  [
    'the order of fields deeper inside',
    { m: { a: 1, b: { c: 1, d: 2 } } },
    { m: { b: { d: 2, c: 1 }, a: 1 } },
  ],
  ['the order of fields in a list', { l: [{ a: 1, b: 2 }] }, { l: [{ b: 2, a: 1 }] }],
  ['the organization', { to: '1', organizationId: 'a' }, { to: '1' }],
  ['a field without a value', { to: '1', from: undefined }, { to: '1' }],
])('%s makes no difference', (_what, one, other) => {
  expect(digestBody(one)).toBe(digestBody(other));
});

test('the digest is SHA-256 in hexadecimal, and stays what it is: it is stored', () => {
  // printf '%s' '{"fields":[["text","Selam"],["to","+251911234567"]]}' | sha256sum
  expect(digestBody({ to: '+251911234567', text: 'Selam' })).toBe(
    '3d9442c69741fcf63228e6712eb6ab12200214f06534e5505b732c6b5e864f39',
  );
});

test('two bodies have one digest if and only if they are the same JSON', () => {
  const body = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'fields'), fc.jsonValue({ maxDepth: 3 }));
  const canonical = (value: unknown): string =>
    JSON.stringify(value, (_name, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    );
  fc.assert(
    fc.property(body, body, (one, other) => {
      expect(digestBody(one) === digestBody(other)).toBe(canonical(one) === canonical(other));
      expect(digestBody(one)).toBe(digestBody(JSON.parse(canonical(one)) as object));
    }),
  );
});

test('the use of a key names the operation, and there is none without the header', () => {
  const request = (key: string | undefined) =>
    ({
      get: (name: string) => (name === 'idempotency-key' ? key : undefined),
      operation: { method: 'POST', path: '/api/v1/messages' },
    }) as never;
  expect(readIdempotencyKeyUse(request(undefined), {})).toBeNull();
  expect(readIdempotencyKeyUse(request('k'), { a: 1 })).toEqual({
    key: 'k',
    route: 'POST /api/v1/messages',
    digest: digestBody({ a: 1 }),
  });
});
