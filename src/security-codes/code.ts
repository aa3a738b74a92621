import { createHmac, randomInt } from 'node:crypto';

/** What codes are made of. */
export const codeAlphabets = {
  numeric: '0123456789',
  // Without 0 and O, 1, I and L, which are taken for each other, and without vowels, so that no code spells a word.
  alphanumeric: '23456789BCDFGHJKMNPQRSTVWXYZ',
} as const;

export type CodeType = keyof typeof codeAlphabets;

/** Draws a code, each of its characters as likely as any other: `randomInt` is unbiased. */
export function generateCode(type: CodeType, length: number): string {
  const alphabet = codeAlphabets[type];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * HMAC-SHA256 under the pepper of the verification's id and its code, as hex: equal codes of two verifications
 * look different, and without the pepper none can be guessed from what is stored.
 *
 * Letters count alike in either case, for people type them as they like; codes have capitals only.
 */
export function hashCode(pepper: string, verificationId: string, code: string): string {
  const plain = code.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return createHmac('sha256', pepper).update(`${verificationId}:${plain}`).digest('hex');
}
