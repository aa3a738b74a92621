import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../principal.ts';

export interface GeneratedApiKey {
  /** The whole key, which is shown once and never stored. */
  key: string;
  /** Identifies the key in lists and in the table. */
  publicId: string;
  /** SHA-256 of the secret, 32 bytes. Nothing else of the secret is stored. */
  secretHash: Buffer;
}

export interface ParsedApiKey {
  environment: Environment;
  publicId: string;
  secret: string;
  secretHash: Buffer;
}

/** Excludes `_`, which separates the parts, and characters that a double click, a shell or a URL treats specially. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const publicIdLength = 16;
/** 28 characters of 62 are 166 random bits; 160 are required. */
const randomLength = 28;
/** 62^6 is more than 2^32, so every checksum has exactly one representation of this length. */
const checksumLength = 6;

const keyPattern = new RegExp(
  `^(sms_(?:live|test)_([0-9A-Za-z]{${publicIdLength}})_[0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/**
 * Generates a key: `sms_<test|live>_<PUBLIC_ID>_<SECRET>`.
 *
 * The secret's last six characters are the CRC-32 of everything before them, in base 62. Therefore a mistyped key is
 * refused without a database query, and scanners for leaked keys can recognise a key.
 */
export function generateApiKey(environment: Environment): GeneratedApiKey {
  const publicId = randomText(publicIdLength);
  const body = `sms_${environment}_${publicId}_${randomText(randomLength)}`;
  const key = body + checksum(body);
  return { key, publicId, secretHash: hashSecret(secretOf(key)) };
}

/**
 * Parses a key. Returns null if its form or checksum is wrong. A well-formed key need not exist.
 *
 * A CRC-32 detects every error within 32 adjacent bits: any changed character, any two adjacent characters swapped,
 * test in place of live. Only a swap of the last random character with the first character of the checksum is outside
 * that rule and keeps the form; it is detected except for about one key in four thousand million.
 */
export function parseApiKey(text: string): ParsedApiKey | null {
  const [, body, publicId, check] = keyPattern.exec(text) ?? [];
  if (body === undefined || publicId === undefined || check !== checksum(body)) return null;
  const secret = secretOf(text);
  const environment = text.startsWith('sms_live_') ? 'live' : 'test';
  return { environment, publicId, secret, secretHash: hashSecret(secret) };
}

/** Compares two hashes in a time that does not reveal where they differ. Their lengths are not secret. */
export function secretsMatch(stored: Uint8Array, presented: Uint8Array): boolean {
  return stored.length === presented.length && timingSafeEqual(stored, presented);
}

/** A plain hash is sufficient: a secret of 166 random bits cannot be guessed, so a slow hash would add nothing. */
function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function secretOf(key: string): string {
  return key.slice(-(randomLength + checksumLength));
}

function randomText(length: number): string {
  // randomInt is unbiased, unlike the remainder of random bytes modulo 62.
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < checksumLength) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
