import {
  findStep,
  stepOf,
  toBase32,
  totpOf,
  totpUri,
  generateSecret,
} from '../../src/auth/two-factor/totp.ts';
import { generateRecoveryCodes, hashRecoveryCode } from '../../src/auth/two-factor/recovery-codes.ts';

const secret = toBase32(Buffer.from('12345678901234567890'));

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is that of RFC 6238, appendix B', (seconds, code) => {
  expect(totpOf(secret, stepOf(new Date(seconds * 1000)))).toBe(code);
});

test('a code counts one step before and after its own, and no further', () => {
  const at = new Date(1_234_567_890_000);
  const step = stepOf(at);
  const found = [-2, -1, 0, 1, 2].map((away) => findStep(secret, totpOf(secret, step + away), at));
  expect(found).toEqual([null, step - 1, step, step + 1, null]);
  for (const other of ['', '00592', '0059240', 'abcdef']) expect(findStep(secret, other, at)).toBeNull();
});

test('the URI has what an app needs, with the address escaped', () => {
  const made = generateSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(made, 'a+b&c@example.com'));
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/SMS%20service:a%2Bb%26c%40example.com\?/);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    ...{ secret: made, issuer: 'SMS service', digits: '6', period: '30' },
  });
});

test('recovery codes differ, and are read in either case, with or without hyphens', () => {
  const codes = generateRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^(\w{4}-){3}\w{4}$/);
  const [code] = codes as [string];
  const spellings = [code.toLowerCase(), code.replaceAll('-', ''), code.replaceAll('-', ' ')];
  for (const spelling of spellings) expect(hashRecoveryCode(spelling)).toEqual(hashRecoveryCode(code));
});
