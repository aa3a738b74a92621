import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { NoticeListener } from '../notice-listener.ts';
import type { Environment } from '../principal.ts';

export interface StoredApiKey {
  id: string;
  organizationId: string;
  makerId: string | null;
  environment: Environment;
  secretHash: Buffer;
  permissions: ReadonlySet<string>;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** Where a process tells the others of a key that it has changed: its public id. */
export const apiKeyChannel = 'api_keys';

/**
 * A revocation must reach every process within one second, also one that does not hear of it: half of that leaves room
 * for the read.
 */
const cacheMs = 500;

/** Keys kept at a time; beyond that the oldest goes. */
const cacheSize = 10_000;

export interface ApiKeyLookup {
  find: (publicId: string) => Promise<StoredApiKey | null>;
  /** Has the key read anew by the next request; called once a change of it is committed. */
  forget: (publicId: string) => void;
}

/**
 * Makes the look-up of keys by public id: one indexed read, shared by all requests of half a second, so
 * that a key under load costs two reads a second. Ids that do not exist are not kept: they cost a guess each.
 * A key that is changed is forgotten at once, by the process that changes it and by those that hear of it.
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
  const { rows } = await sql<{
    id: string;
    organization_id: string;
    maker_id: string | null;
    environment: Environment;
    secret_hash: Buffer;
    permissions: string[];
    expires_at: string | null;
    revoked_at: string | null;
  }>`
    select id, organization_id, maker_id, environment, secret_hash, permissions, expires_at, revoked_at
    from api_keys where public_id = ${publicId}
  `.execute(sqlOf(database));
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    organizationId: row.organization_id,
    makerId: row.maker_id,
    environment: row.environment,
    secretHash: row.secret_hash,
    permissions: new Set(row.permissions),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
  };
}
