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
   * @throws Error if it was sealed for another owner or with an unknown key, or was changed
   */
  unseal: (owner: string, sealed: string) => string;
  /**
   * Seals with the current key what was sealed with another one.
   *
   * @returns null if it is sealed with the current key already
   * @throws the errors of `unseal`
   */
  renew: (owner: string, sealed: string) => string | null;
}

/** A key that seals, by its id. The id is stored with each value that the key has sealed, and is not secret. */
export interface SealingKey {
  /** One to sixteen letters, digits or hyphens. */
  id: string;
  /** At least 32 characters, of which HKDF makes the key of each purpose. */
  secret: string;
}

/** With what values are sealed, and with what stored values may be sealed. */
export interface SealingSecrets {
  pepper: string;
  /** While the pepper is changed: the previous one. */
  previousPepper?: string | undefined;
  /** The first one seals, all of them open. Without one, the pepper seals, in the form that 0.1 can read. */
  keys?: readonly SealingKey[];
}

/**
 * Creates the sealer for texts that only the gateway and the recipient may see, while they wait for submission. The
 * owner is the message, so that a sealed text cannot be moved to a message for another recipient.
 */
export function createTextSealer(secrets: SealingSecrets): Sealer {
  return createSealer('sealed text of a message', secrets);
}

/**
 * Creates the sealer for secrets that sign webhooks. The owner is the organization: a redriven message keeps the sealed
 * secret, and no other organization can use it.
 */
export function createSecretSealer(secrets: SealingSecrets): Sealer {
  return createSealer('secret of a webhook', secrets);
}

/** Creates the sealer for the secrets of authenticator apps. The owner is the user. */
export function createSecondFactorSealer(secrets: SealingSecrets): Sealer {
  return createSealer('secret of a second factor', secrets);
}

/**
 * Creates the sealer for what an erasure still needs: its number, with the erasure as the owner, and the key of the
 * hashes of numbers.
 */
export function createNumberSealer(secrets: SealingSecrets): Sealer {
  return createSealer('number of a person', secrets);
}

/** The lengths for AES-256-GCM, in bytes (NIST SP 800-38D: a nonce of 96 bits, a tag of 128). */
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/** The first byte of a value that names its key. */
const keyedForm = 1;

/** One way to open a value: a key, and what precedes the nonce in the values that it has sealed. */
interface Opener {
  key: Buffer;
  header: Buffer;
}

/**
 * Seals with AES-256-GCM, with a key derived by HKDF (RFC 5869), one key for each purpose. The associated data are the
 * header and the owner. There are two forms:
 * - a header of form, length of the id and id, then nonce, tag and ciphertext, under a key of SEALING_KEYS
 * - nonce, tag and ciphertext, under the pepper
 *
 * The nonce of the second form may look like the header of the first. So a header only chooses which key is tried
 * first, and the tag decides.
 */
function createSealer(purpose: string, { pepper, previousPepper, keys = [] }: SealingSecrets): Sealer {
  const openerOf = (secret: string, header: Buffer): Opener => ({
    key: Buffer.from(hkdfSync('sha256', secret, '', purpose, keyLength)),
    header,
  });
  const keyed = keys.map(({ id, secret }) => openerOf(secret, headerOf(id)));
  const peppered = [pepper, ...(previousPepper === undefined ? [] : [previousPepper])].map((secret) =>
    openerOf(secret, Buffer.alloc(0)),
  );
  const current = keyed[0] ?? peppered[0]!;
  const open = (owner: string, sealed: string): { text: string; isCurrent: boolean } => {
    const bytes = Buffer.from(sealed, 'base64');
    const named = keyed.filter(({ header }) => bytes.subarray(0, header.length).equals(header));
    let failure: unknown;
    for (const opener of [...named, ...peppered]) {
      try {
        return { text: decrypt(opener, owner, bytes), isCurrent: opener === current };
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
  return {
    seal: (owner, text) => encrypt(current, owner, text),
    unseal: (owner, sealed) => open(owner, sealed).text,
    renew: (owner, sealed) => {
      const { text, isCurrent } = open(owner, sealed);
      return isCurrent ? null : encrypt(current, owner, text);
    },
  };
}

function headerOf(id: string): Buffer {
  return Buffer.concat([Buffer.from([keyedForm, id.length]), Buffer.from(id, 'latin1')]);
}

function associatedData(header: Buffer, owner: string): Buffer {
  return Buffer.concat([header, Buffer.from(owner)]);
}

function encrypt({ key, header }: Opener, owner: string, text: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(header, owner));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
}

function decrypt({ key, header }: Opener, owner: string, sealed: Buffer): string {
  const bytes = sealed.subarray(header.length);
  if (bytes.length < nonceLength + tagLength) throw new Error('The sealed value is cut off.');
  const nonce = bytes.subarray(0, nonceLength);
  const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
    .setAAD(associatedData(header, owner))
    .setAuthTag(tag);
  const text = [decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}
