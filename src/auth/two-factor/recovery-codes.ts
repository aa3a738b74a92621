import { createHash, randomInt } from 'node:crypto';
import { codeAlphabets } from '../../security-codes/code.ts';

/** How many recovery codes a user gets. */
const count = 10;
/** 16 characters of 28 are 76 bits: a plain hash is sufficient, because nobody can guess them. */
const characters = 16;

/** Generates recovery codes, in groups of four characters. */
export function generateRecoveryCodes(): string[] {
  const alphabet = codeAlphabets.alphanumeric;
  return Array.from({ length: count }, () =>
    Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
}

/** SHA-256 of a code, which may be typed in either case, and with or without hyphens and spaces. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest();
}
