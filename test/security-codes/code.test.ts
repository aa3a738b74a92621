import { createTextSealer, type SealingKey } from '../../src/messages/sealer.ts';
import { codeAlphabets, generateCode, hashCode, type CodeType } from '../../src/security-codes/code.ts';
import { statusOfClosedCode } from '../../src/security-codes/code-status.ts';
import { renderCode } from '../../src/security-codes/code-text.ts';

test.each(Object.entries(codeAlphabets))(
  'each character of %s codes is as likely as any other',
  (...[type, alphabet]) => {
    const count = 40_000;
    const seen = new Map<string, number>();
    for (const character of Array.from({ length: count / 10 }, () => generateCode(type as CodeType, 10)).join(
      '',
    )) {
      seen.set(character, (seen.get(character) ?? 0) + 1);
    }
    expect([...seen.keys()].toSorted()).toEqual(alphabet.split('').toSorted());
    const expected = count / alphabet.length;
    // Chi-squared: with 27 degrees of freedom it exceeds 80 once in a million times.
    const deviation = [...seen.values()].reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0);
    expect(deviation).toBeLessThan(80);
  },
);

test('alphanumeric codes have no look-alikes and no vowels', () => {
  expect(codeAlphabets.alphanumeric).not.toMatch(/[0O1ILAEU]/);
  expect(new Set(codeAlphabets.alphanumeric).size).toBe(codeAlphabets.alphanumeric.length);
});

test('a hash is of the pepper, the verification and the code, in either case of letters', () => {
  const hash = hashCode('pepper', 'id', 'B2C3');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashCode('pepper', 'id', 'b2c3')).toBe(hash);
  for (const other of [
    hashCode('other', 'id', 'B2C3'),
    hashCode('pepper', 'di', 'B2C3'),
    hashCode('pepper', 'id', 'B2C4'),
  ]) {
    expect(other).not.toBe(hash);
  }
});

test.each([
  ['Your code is {{code}}', 'Your code is 1234', 'Your code is ••••'],
  ['{{code}}{{code}}', '12341234', '••••••••'],
  ['{{ code }} or {{\tcode\n}}', '1234 or 1234', '•••• or ••••'],
  ['{{{code}}}', '{1234}', '{••••}'],
  ['{{ firstName }} {{ code }}', '{{ firstName }} 1234', '{{ firstName }} ••••'],
  ['$& $1 {{code}}', '$& $1 1234', '$& $1 ••••'],
])('%j is rendered', (...[template, text, masked]) => {
  expect(renderCode(template, '1234')).toEqual({ text, masked });
});

test.each([
  ['verified', 'already_used'],
  ['pending', 'expired'],
  ['expired', 'expired'],
  ['superseded', 'superseded'],
  ['max_attempts_reached', 'max_attempts_reached'],
] as const)('a code that is %s answers %s', (...[status, answer]) => {
  expect(statusOfClosedCode(status)).toBe(answer);
});

describe('a sealed text', () => {
  const sealer = createTextSealer({ pepper: 'a-pepper-of-at-least-32-characters' });
  const text = 'Your code is 123456 ሰላም';

  test('opens for its message', () => {
    expect(sealer.unseal('id', sealer.seal('id', text))).toBe(text);
  });

  test('looks different each time, and shows nothing of what it holds', () => {
    const [first, second] = [sealer.seal('id', text), sealer.seal('id', text)];
    expect(first).not.toBe(second);
    expect(Buffer.from(first, 'base64').toString('latin1')).not.toContain('123456');
  });

  test.each([
    ['for another message', (sealed: string) => sealer.unseal('other', sealed)],
    [
      'under another pepper',
      (sealed: string) => createTextSealer({ pepper: 'x'.repeat(32) }).unseal('id', sealed),
    ],
    [
      'when a bit of it was changed',
      (sealed: string) => {
        const bytes = Buffer.from(sealed, 'base64');
        bytes[bytes.length - 1]! ^= 1;
        return sealer.unseal('id', bytes.toString('base64'));
      },
    ],
    [
      'when its tag was cut',
      (sealed: string) =>
        sealer.unseal('id', Buffer.from(sealed, 'base64').subarray(0, 20).toString('base64')),
    ],
  ])('does not open %s', (...[, open]) => {
    expect(() => open(sealer.seal('id', text))).toThrow(/authenticat|cut off/);
  });
});

describe('values that name their key', () => {
  const pepper = 'a-pepper-of-at-least-32-characters';
  const [a, b] = ['a', 'b'].map((id) => ({ id, secret: id.repeat(32) })) as [SealingKey, SealingKey];
  const peppered = createTextSealer({ pepper });
  const first = createTextSealer({ pepper, keys: [a] });
  const rotating = createTextSealer({ pepper, keys: [b, a] });
  const second = createTextSealer({ pepper, keys: [b] });

  test('begin with their form and the id, and open while the key is listed', () => {
    const sealed = first.seal('id', 'text');
    expect(Buffer.from(sealed, 'base64').subarray(0, 3)).toEqual(Buffer.from('\u0001\u0001a'));
    expect([first, rotating].map((sealer) => sealer.unseal('id', sealed))).toEqual(['text', 'text']);
    for (const sealer of [second, peppered]) {
      expect(() => sealer.unseal('id', sealed)).toThrow(/authenticat/);
    }
  });

  test('replace values of the pepper and of other keys, and stay as they are under the first key', () => {
    for (const sealed of [peppered.seal('id', 'text'), first.seal('id', 'text')]) {
      expect(rotating.unseal('id', sealed)).toBe('text');
      const renewed = rotating.renew('id', sealed)!;
      expect(second.unseal('id', renewed)).toBe('text');
      expect(rotating.renew('id', renewed)).toBeNull();
    }
  });

  test('do not open under another id, even with the same key', () => {
    const renamed = createTextSealer({ pepper, keys: [{ id: 'c', secret: a.secret }] });
    const bytes = Buffer.from(first.seal('id', 'text'), 'base64');
    bytes[2] = 'c'.charCodeAt(0);
    expect(() => renamed.unseal('id', bytes.toString('base64'))).toThrow(/authenticat/);
  });

  test('are told from values of the pepper whose nonce looks like their header', () => {
    const looksKeyed = ([form, length]: Buffer) => form === 1 && length! > 0 && length! <= 16;
    let sealed = peppered.seal('id', 'text');
    while (!looksKeyed(Buffer.from(sealed, 'base64'))) sealed = peppered.seal('id', 'text');
    const [, length, ...rest] = Buffer.from(sealed, 'base64');
    const id = Buffer.from(rest).toString('latin1', 0, length);
    const colliding = createTextSealer({ pepper, keys: [{ id, secret: 'c'.repeat(32) }] });
    expect(colliding.unseal('id', sealed)).toBe('text');
  });
});
