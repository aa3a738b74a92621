import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals what must not lie in the database in clear. */
export interface Sealer {
  /**
   * @param owner the id of what the text belongs to; it opens for this one only
   * @returns base64 of nonce, tag and ciphertext
   */
  seal: (owner: string, text: string) => string;
  /**
   * @param sealed what `seal` gave
   * @throws Error when it was sealed for another owner, under another pepper, or was changed
   */
  unseal: (owner: string, sealed: string) => string;
}

/**
 * Makes the sealer of texts that only the gateway and the recipient are to see, while they wait for their submission.
 * The owner is the message, so that a sealed text cannot be moved to a message that goes to someone else.
 */
export function createTextSealer(pepper: string): Sealer {
  return createSealer(pepper, 'sealed text of a message');
}

/**
 * Makes the sealer of the secrets that sign webhooks. The owner is the organization: a message that is redriven takes
 * the sealed secret with it, and no other organization can use it.
 */
export function createSecretSealer(pepper: string): Sealer {
  return createSealer(pepper, 'secret of a webhook');
}

/** Of AES-256-GCM, in bytes (NIST SP 800-38D: a nonce of 96 bits, a tag of 128). */
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Seals with AES-256-GCM under a key derived from the pepper by HKDF (RFC 5869), one for each purpose. The owner is the
 * associated data.
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
