import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import type { Sealer } from '../messages/sealer.ts';

/**
 * Returns the keyed hash of a number: HMAC-SHA-256 (RFC 2104), hexadecimal.
 *
 * @param phoneNumber E.164
 */
export type HashNumber = (phoneNumber: string) => Promise<string>;

/** The owner that the key is sealed for. */
export const hashKeyOwner = 'hash key';

const keyBytes = 32;

/**
 * Creates the hash of numbers. Without a key, the ten million numbers of a mobile network are soon tried. The key is
 * random and stored sealed with the pepper: the database alone does not reveal it, and it stays the same when the
 * pepper is changed, so that no opt-out is lost. A process reads it once.
 */
export function createNumberHash(database: Database, sealer: Sealer): HashNumber {
  let loading: Promise<Buffer> | undefined;
  return async (phoneNumber) => {
    loading ??= loadKey(sqlOf(database), sealer);
    // A failure, for example while the database is down, must not be kept.
    const key = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return createHmac('sha256', key).update(phoneNumber).digest('hex');
  };
}

/** The first process to need the key makes it; of several at once, one. */
async function loadKey(db: Sql, sealer: Sealer): Promise<Buffer> {
  const stored = (await readKey(db)) ?? (await makeKey(db, sealer));
  const key = unsealKey(sealer, stored) ?? unsealKey(sealer, await replaceUnusedKey(db, sealer, stored));
  if (key === null) {
    // A new key would let messages go to people who have opted out and were erased.
    throw new Error(
      'The key of the hashes of numbers is sealed with another SECURITY_CODE_PEPPER. Set SECURITY_CODE_PREVIOUS_PEPPER to it; docs/runbook.md says more.',
    );
  }
  return key;
}

/** @returns null if the key is sealed with a pepper that this process does not have */
function unsealKey(sealer: Sealer, sealed: string): Buffer | null {
  try {
    return Buffer.from(sealer.unseal(hashKeyOwner, sealed), 'base64');
  } catch {
    return null;
  }
}

/**
 * Replaces a key that nothing was hashed with yet, so that a lost pepper does not stop sending where nobody was erased.
 *
 * @returns the key that is stored now: the same one if it is in use
 */
async function replaceUnusedKey(db: Sql, sealer: Sealer, stored: string): Promise<string> {
  const sealed = sealer.seal(hashKeyOwner, randomBytes(keyBytes).toString('base64'));
  await sql`
    update number_hash_keys set sealed_key = decode(${sealed}, 'base64')
    where id = 1 and sealed_key = decode(${stored}, 'base64') and not exists (select from erasures)
  `.execute(db);
  return (await readKey(db))!;
}

async function readKey(db: Sql): Promise<string | undefined> {
  const { rows } = await sql<{ sealedKey: string }>`
    select encode(sealed_key, 'base64') as "sealedKey" from number_hash_keys where id = 1
  `.execute(db);
  return rows[0]?.sealedKey;
}

async function makeKey(db: Sql, sealer: Sealer): Promise<string> {
  const sealed = sealer.seal(hashKeyOwner, randomBytes(keyBytes).toString('base64'));
  await sql`
    insert into number_hash_keys (id, sealed_key) values (1, decode(${sealed}, 'base64')) on conflict (id) do nothing
  `.execute(db);
  return (await readKey(db))!;
}

/** Seals the key with the current pepper: a step of `npm run reseal`. Throws if neither pepper can read it. */
export async function resealHashKey(database: Database, sealer: Sealer): Promise<void> {
  const db = sqlOf(database);
  const stored = await readKey(db);
  const renewed = stored === undefined ? null : sealer.renew(hashKeyOwner, stored);
  if (renewed === null) return;
  await sql`update number_hash_keys set sealed_key = decode(${renewed}, 'base64') where id = 1`.execute(db);
}
