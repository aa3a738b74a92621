import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../principal.ts';

export interface GeneratedApiKey {
  /** The whole key, to be shown once and never kept. */
  key: string;
  /** Names the key in lists and finds its row. */
  publicId: string;
  /** SHA-256 of the secret, 32 bytes: all that is kept of it. */
  secretHash: Buffer;
}

export interface ParsedApiKey {
  environment: Environment;
  publicId: string;
  secret: string;
  secretHash: Buffer;
}

/** No `_`, which separates the parts; nothing that a double click, a shell or a URL treats specially. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const publicIdLength = 16;
/** 28 characters of 62 are 166 random bits; contract section 2 asks for 160. */
const randomLength = 28;
/** 62^6 is more than 2^32, so every checksum has a form of this length, and one only. */
const checksumLength = 6;

const keyPattern = new RegExp(
  `^(sms_(?:live|test)_([0-9A-Za-z]{${publicIdLength}})_[0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/**
 * Makes a key of contract section 2: `sms_<test|live>_<PUBLIC_ID>_<SECRET>`.
 *
 * The secret's last six characters are the CRC-32 of everything before them, in base 62. So a mistyped key is
 * refused without asking the database, and a scanner for leaked keys knows one when it sees one.
 */
export function generateApiKey(environment: Environment): GeneratedApiKey {
  const publicId = randomText(publicIdLength);
  const body = `sms_${environment}_${publicId}_${randomText(randomLength)}`;
  const key = body + checksum(body);
  return { key, publicId, secretHash: hashSecret(secretOf(key)) };
}

/**
 * Takes a key apart, or gives null if its form or checksum is wrong. That a key is well-formed says nothing
 * of whether it exists.
 *
 * A CRC-32 finds every error within 32 adjacent bits: any one character changed, any two adjacent ones
 * swapped, test written for live. Only a swap of the last random character with the first of the checksum
 * goes past both that rule and the form, and is found but for about one key in four thousand million.
 */
export function parseApiKey(text: string): ParsedApiKey | null {
  const [, body, publicId, check] = keyPattern.exec(text) ?? [];
  if (body === undefined || publicId === undefined || check !== checksum(body)) return null;
  const secret = secretOf(text);
  const environment = text.startsWith('sms_live_') ? 'live' : 'test';
  return { environment, publicId, secret, secretHash: hashSecret(secret) };
}

/** Compares two hashes in a time that does not tell where they differ. Their lengths are no secret. */
export function secretsMatch(stored: Uint8Array, presented: Uint8Array): boolean {
  return stored.length === presented.length && timingSafeEqual(stored, presented);
}

/** A plain hash is enough: a secret of 166 random bits cannot be guessed, so nothing is gained by a slow one. */
function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function secretOf(key: string): string {
  return key.slice(-(randomLength + checksumLength));
}

function randomText(length: number): string {
  // randomInt is without bias, which a remainder of random bytes by 62 is not.
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
