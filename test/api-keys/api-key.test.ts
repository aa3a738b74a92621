import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { generateApiKey, parseApiKey, secretsMatch } from '../../src/api-keys/api-key.ts';

const environment = fc.constantFrom('live' as const, 'test' as const);
const anyKey = environment.map((name) => generateApiKey(name).key);
const base62 = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

/**
 * Keys of one fixed body, each with the base-62 CRC-32 that Python's zlib.crc32 gives for it, so that keys
 * handed out today stay valid whatever becomes of the code:
 *   python3 -c 'import zlib; n=zlib.crc32(b"sms_test_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQR"); ...'
 */
const knownKeys = [
  ['test', 'sms_test_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQR3atm7c'],
  ['live', 'sms_live_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQR1oJrAs'],
] as const;

describe('a generated key', () => {
  test('has the form the contract gives', () => {
    expect(generateApiKey('test').key).toMatch(/^sms_test_[0-9A-Za-z]{16}_[0-9A-Za-z]{34}$/);
    expect(generateApiKey('live').key).toMatch(/^sms_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{34}$/);
  });

  test('is taken apart into what it was made of', () => {
    fc.assert(
      fc.property(environment, (name) => {
        const { key, publicId, secretHash } = generateApiKey(name);
        const parsed = parseApiKey(key);
        expect(parsed).toEqual({ environment: name, publicId, secret: key.split('_')[3], secretHash });
      }),
    );
  });

  test('has a secret of at least 160 random bits, and every character of the alphabet comes up', () => {
    expect(28 * Math.log2(62)).toBeGreaterThan(160);
    const keys = Array.from({ length: 500 }, () => generateApiKey('live').key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(keys.flatMap((key) => Array.from(key.slice(26, 54))))).toEqual(new Set(base62));
  });

  test('is kept as the SHA-256 of its secret alone', () => {
    const { key, secretHash } = generateApiKey('live');
    expect(secretHash).toEqual(createHash('sha256').update(key.split('_')[3]!).digest());
  });
});

describe('a key is refused', () => {
  test('when any one character of it is changed', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), fc.constantFrom(...base62, '_', '-', ' ', 'é'), (key, seed, other) => {
        const index = seed % key.length;
        fc.pre(key[index] !== other);
        expect(parseApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('when any one letter of it is in the other case', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), (key, seed) => {
        const index = seed % key.length;
        const letter = key.charAt(index);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        fc.pre(other !== letter);
        expect(parseApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  test('when any two adjacent characters of it are swapped', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), (key, seed) => {
        const index = seed % (key.length - 1);
        const swapped =
          key.slice(0, index) + key.charAt(index + 1) + key.charAt(index) + key.slice(index + 2);
        fc.pre(swapped !== key);
        expect(parseApiKey(swapped)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('when a character is left out or put in', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), fc.constantFrom(...base62), (key, seed, more) => {
        const index = seed % key.length;
        expect(parseApiKey(key.slice(0, index) + key.slice(index + 1))).toBeNull();
        expect(parseApiKey(key.slice(0, index) + more + key.slice(index))).toBeNull();
      }),
    );
  });

  test('when it is moved to the other environment', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const moved = key.startsWith('sms_live') ? key.replace('live', 'test') : key.replace('test', 'live');
        expect(parseApiKey(moved)).toBeNull();
      }),
    );
  });

  test('when it is put together from two keys', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (one, other) => {
        const mixed = one.split('_').slice(0, 3).join('_') + other.slice(other.lastIndexOf('_'));
        expect(parseApiKey(mixed)).toBeNull();
      }),
    );
  });

  const { key } = generateApiKey('live');
  test.each([
    ['empty', ''],
    ['a prefix only', 'sms_live_'],
    ['with a space before it', ` ${key}`],
    ['with a line end after it', `${key}\n`],
    ['in quotes', `"${key}"`],
    ['twice', key + key],
    ['of another prefix', key.replace('sms', 'xms')],
    ['of another environment', key.replace('live', 'prod')],
    ['very long', 'sms_live_'.repeat(100_000)],
  ])('when it is %s', (_name, text) => {
    expect(parseApiKey(text)).toBeNull();
  });

  test('any other string is refused without an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(parseApiKey(text)).toBeNull()));
  });
});

describe('the format does not change', () => {
  test.each(knownKeys)('a known %s key is read', (name, text) => {
    expect(parseApiKey(text)).toMatchObject({ environment: name, publicId: '0123456789ABCDEF' });
  });
});

describe('secretsMatch', () => {
  test('is true for equal hashes only', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect(secretsMatch(one, Uint8Array.from(one))).toBe(true);
        expect(secretsMatch(one, other)).toBe(Buffer.compare(one, other) === 0);
      }),
    );
  });

  test('is false for hashes of different lengths, without an error', () => {
    expect(secretsMatch(Buffer.alloc(32), Buffer.alloc(31))).toBe(false);
    expect(secretsMatch(Buffer.alloc(0), Buffer.alloc(32))).toBe(false);
  });
});
