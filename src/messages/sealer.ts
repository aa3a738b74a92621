import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals values that must not be stored in clear text in the database. */
export interface Sealer {
  /**
   * @param owner the id of the object that the text belongs to; only this owner can unseal it
   * @returns base64 of nonce, tag and ciphertext
   */
  seal: (owner: string, text: string) => string;
  /**
   * @param sealed the result of `seal`
   * @throws Error if it was sealed for another owner or with another pepper, or was changed
   */
  unseal: (owner: string, sealed: string) => string;
  /**
   * Seals with the current pepper what was sealed with the previous one.
   *
   * @returns null if it is sealed with the current pepper already
   * @throws the errors of `unseal`
   */
  renew: (owner: string, sealed: string) => string | null;
}

/**
 * Creates the sealer for texts that only the gateway and the recipient may see, while they wait for submission. The
 * owner is the message, so that a sealed text cannot be moved to a message for another recipient.
 *
 * @param previousPepper while the pepper is changed: stored texts may still be sealed with it
 */
export function createTextSealer(pepper: string, previousPepper?: string): Sealer {
  return createSealer('sealed text of a message', pepper, previousPepper);
}

/**
 * Creates the sealer for secrets that sign webhooks. The owner is the organization: a redriven message keeps the sealed
 * secret, and no other organization can use it.
 *
 * @param previousPepper while the pepper is changed: stored secrets may still be sealed with it
 */
export function createSecretSealer(pepper: string, previousPepper?: string): Sealer {
  return createSealer('secret of a webhook', pepper, previousPepper);
}

/** The lengths for AES-256-GCM, in bytes (NIST SP 800-38D: a nonce of 96 bits, a tag of 128). */
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Seals with AES-256-GCM, with a key derived from the pepper by HKDF (RFC 5869), one key for each purpose. The owner is
 * the associated data.
 */
function createSealer(purpose: string, pepper: string, previousPepper: string | undefined): Sealer {
  const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, keyLength));
  const current = keyOf(pepper);
  const previous = previousPepper === undefined ? null : keyOf(previousPepper);
  // The tag shows which key it was. A value names no key, so that no row reveals when the pepper was changed.
  const unsealEither = (owner: string, sealed: string): { text: string; isCurrent: boolean } => {
    try {
      return { text: decrypt(current, owner, sealed), isCurrent: true };
    } catch (error) {
      if (previous === null) throw error;
      return { text: decrypt(previous, owner, sealed), isCurrent: false };
    }
  };
  return {
    seal: (owner, text) => encrypt(current, owner, text),
    unseal: (owner, sealed) => unsealEither(owner, sealed).text,
    renew: (owner, sealed) => {
      const { text, isCurrent } = unsealEither(owner, sealed);
      return isCurrent ? null : encrypt(current, owner, text);
    },
  };
}

function encrypt(key: Buffer, owner: string, text: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
}

function decrypt(key: Buffer, owner: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, nonceLength);
  const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(owner))
    .setAuthTag(tag);
  const text = [decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}
