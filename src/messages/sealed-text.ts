import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals texts that only the gateway and the recipient are to see, while they wait for their submission. */
export interface TextSealer {
  /** @returns base64 of nonce, tag and ciphertext */
  seal: (messageId: string, text: string) => string;
  /**
   * @param sealed what `seal` gave
   * @throws Error when it was sealed for another message, under another pepper, or was changed
   */
  unseal: (messageId: string, sealed: string) => string;
}

/** Of AES-256-GCM, in bytes (NIST SP 800-38D: a nonce of 96 bits, a tag of 128). */
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Seals with AES-256-GCM under a key derived from the pepper by HKDF (RFC 5869). The message's id is the
 * associated data, so that a sealed text cannot be moved to a message that goes to someone else.
 */
export function createTextSealer(pepper: string): TextSealer {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'sealed text of a message', keyLength));
  return {
    seal: (messageId, text) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(messageId));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
    },
    unseal: (messageId, sealed) => {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, nonceLength);
      const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(messageId))
        .setAuthTag(tag);
      const text = [decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()];
      return Buffer.concat(text).toString('utf8');
    },
  };
}
