import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { NoticeListener } from '../notice-listener.ts';
import type { Environment } from '../principal.ts';
import { toRanges, type AddressRange } from './allowed-addresses.ts';
import { toDate, type Stored } from '../stored-rows.ts';

export interface StoredApiKey {
  id: string;
  organizationId: string;
  makerId: string | null;
  environment: Environment;
  secretHash: Buffer;
  permissions: ReadonlySet<string>;
  /** The networks from which it may be used; null for any. */
  allowedRanges: AddressRange[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** The channel in which a process notifies the others of a changed key. The payload is the public id of the key. */
export const apiKeyChannel = 'api_keys';

/**
 * A revocation must take effect in every process within one second, even in one that misses the notification. Half of
 * that time leaves room for the read.
 */
const cacheMs = 500;

/** The maximum number of cached keys. Beyond it, the oldest is removed. */
const cacheSize = 10_000;

export interface ApiKeyLookup {
  find: (publicId: string) => Promise<StoredApiKey | null>;
  /** Removes a key from the cache, so that the next request reads it again; called after a change is committed. */
  forget: (publicId: string) => void;
}

/**
 * Creates the look-up of keys by public id: one indexed read, shared by all requests within half a second, so that a
 * key under load costs two reads per second. Unknown ids are not cached: each guess costs a read. A changed key is
 * removed from the cache at once, in the process that changes it and in those that are notified.
 */
export function createApiKeyLookup(
  database: Database,
  notices: NoticeListener,
  now: () => number = Date.now,
): ApiKeyLookup {
  const cache = new Map<string, { until: number; key: Promise<StoredApiKey | null> }>();
  const forget = (publicId: string): void => void cache.delete(publicId);
  const find = (publicId: string): Promise<StoredApiKey | null> => {
    const cached = cache.get(publicId);
    if (cached && cached.until > now()) return cached.key;
    const key = readApiKey(database, publicId);
    cache.delete(publicId);
    cache.set(publicId, { until: now() + cacheMs, key });
    if (cache.size > cacheSize) cache.delete(cache.keys().next().value!);
    key.then(
      (found) => found ?? cache.delete(publicId),
      () => cache.delete(publicId),
    );
    return key;
  };
  notices.subscribe({ channel: apiKeyChannel, onListening: () => cache.clear(), onNotice: forget });
  return { find, forget };
}

async function readApiKey(database: Database, publicId: string): Promise<StoredApiKey | null> {
  const { rows } = await sql<
    Stored<Omit<StoredApiKey, 'permissions' | 'allowedRanges'>> & {
      permissions: string[];
      allowedAddresses: string[] | null;
    }
  >`
    select id, organization_id as "organizationId", maker_id as "makerId", environment,
      secret_hash as "secretHash", permissions, allowed_addresses as "allowedAddresses", expires_at as "expiresAt", revoked_at as "revokedAt"
    from api_keys where public_id = ${publicId}
  `.execute(sqlOf(database));
  if (!rows[0]) return null;
  const { allowedAddresses, ...row } = rows[0];
  return {
    ...row,
    allowedRanges: toRanges(allowedAddresses),
    permissions: new Set(row.permissions),
    expiresAt: toDate(row.expiresAt),
    revokedAt: toDate(row.revokedAt),
  };
}
