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
}

/**
 * Creates the sealer for texts that only the gateway and the recipient may see, while they wait for submission. The
 * owner is the message, so that a sealed text cannot be moved to a message for another recipient.
 */
export function createTextSealer(pepper: string): Sealer {
  return createSealer(pepper, 'sealed text of a message');
}

/**
 * Creates the sealer for secrets that sign webhooks. The owner is the organization: a redriven message keeps the sealed
 * secret, and no other organization can use it.
 */
export function createSecretSealer(pepper: string): Sealer {
  return createSealer(pepper, 'secret of a webhook');
}

/** The lengths for AES-256-GCM, in bytes (NIST SP 800-38D: a nonce of 96 bits, a tag of 128). */
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Seals with AES-256-GCM, with a key derived from the pepper by HKDF (RFC 5869), one key for each purpose. The owner is
 * the associated data.
 */
function createSealer(pepper: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', purpose, keyLength));
  return {
    seal: (owner, text) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
    },
    unseal: (owner, sealed) => {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, nonceLength);
      const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag);
      const text = [decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()];
      return Buffer.concat(text).toString('utf8');
    },
  };
}
