import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The parameters that every authenticator app supports (RFC 6238, and the Key URI Format). */
const stepSeconds = 30;
const digits = 6;
const secretBytes = 20;

/** How many steps the clock of a phone may be off, in each direction. */
const toleratedSteps = 1;

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Generates the secret that a user's authenticator app and the service share: 160 bits, in base32. */
export function generateSecret(): string {
  return toBase32(randomBytes(secretBytes));
}

/** Returns the URI that an app reads from a QR code. */
export function totpUri(secret: string, email: string, issuer = 'SMS service'): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&digits=${digits}&period=${stepSeconds}`;
}

/** Returns the code of a step (RFC 4226, 5.3), with leading zeros. */
export function totpOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const truncated = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** The number of the step of a time. */
export function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

/**
 * Finds the step whose code was given, among those that the clock of a phone may show. All are compared, in a time that
 * does not depend on the code.
 *
 * @returns null if the code is of none of them
 */
export function findStep(secret: string, code: string, at: Date): number | null {
  const current = stepOf(at);
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let step = current - toleratedSteps; step <= current + toleratedSteps; step += 1) {
    const expected = Buffer.from(totpOf(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** Base32 without padding (RFC 4648, 6). */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => base32Alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => base32Alphabet.indexOf(letter).toString(2).padStart(5, '0')).join(
    '',
  );
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2)));
}
