import { createHmac, randomInt } from 'node:crypto';
import type { Schemas } from '../http/contract/contract-types.ts';

/** The alphabets of codes. */
export const codeAlphabets = {
  numeric: '0123456789',
  // Without 0 and O, 1, I and L, which people confuse with each other, and without vowels, so that no code forms a
  // word.
  alphanumeric: '23456789BCDFGHJKMNPQRSTVWXYZ',
} as const satisfies Record<CodeType, string>;

export type CodeType = NonNullable<NonNullable<Schemas['SecurityCodeInput']['code']>['type']>;

/** Generates a code in which every character is equally likely: `randomInt` is unbiased. */
export function generateCode(type: CodeType, length: number): string {
  const alphabet = codeAlphabets[type];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Returns the HMAC-SHA256 of the verification's id and its code, with the pepper as the key, in hex. Equal codes of two
 * verifications have different hashes, and without the pepper no code can be guessed from the stored hash.
 *
 * Letters are case-insensitive, because people type them in either case. Codes have capital letters only.
 */
export function hashCode(pepper: string, verificationId: string, code: string): string {
  const plain = code.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return createHmac('sha256', pepper).update(`${verificationId}:${plain}`).digest('hex');
}
