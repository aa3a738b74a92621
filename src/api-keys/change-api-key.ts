import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { toApiKeyRecord, type ApiKeyRecord } from './api-key-record.ts';
import { ApiKey } from './api-key.entity.ts';
import { apiKeyChannel, type ApiKeyLookup } from './find-api-key.ts';
import { readAllowedAddresses } from './allowed-addresses.ts';
import { readExpiry } from './key-expiry.ts';

interface Dependencies {
  database: Database;
  apiKeys: Pick<ApiKeyLookup, 'forget'>;
}

/**
 * Changes a key that is not revoked. Absent fields stay unchanged. The change takes effect at once in this process, and
 * in others when they are notified, within a second at the latest. Errors: not_found, invalid_state, invalid_request.
 */
export async function updateApiKey(
  { database, apiKeys }: Dependencies,
  principal: Principal,
  id: string,
  change: Omit<Schemas['ApiKeyChange'], 'organizationId'>,
): Promise<ApiKeyRecord> {
  const record = await asTenant(database, principal, async (em) => {
    const key = await lockKey(em, id);
    if (key.revokedAt) {
      throw new ApiError('invalid_state', 'The API key is revoked, which is final. Create a new one.');
    }
    if (change.name !== undefined) key.name = change.name;
    if (change.permissions !== undefined) key.permissions = [...new Set(change.permissions)];
    if (change.metadata !== undefined) key.metadata = change.metadata;
    if (change.expiresAt !== undefined) key.expiresAt = readExpiry(change.expiresAt);
    if (change.allowedAddresses !== undefined) {
      key.allowedAddresses = readAllowedAddresses(change.allowedAddresses);
    }
    const { name, permissions, expiresAt, allowedAddresses } = change;
    recordAuditEvent(em, principal, {
      action: 'api_key.updated',
      subjectId: id,
      details: { name, permissions, expiresAt, allowedAddresses },
    });
    await tellOthers(em, key);
    return toApiKeyRecord(key);
  });
  apiKeys.forget(record.publicId);
  return record;
}

/**
 * Revokes a key permanently: at once in this process, and in others when they are notified, within a second at the
 * latest. Revoking a revoked key changes nothing. Errors: not_found.
 */
export async function revokeApiKey(
  { database, apiKeys }: Dependencies,
  principal: Principal,
  id: string,
): Promise<void> {
  const publicId = await asTenant(database, principal, async (em) => {
    const key = await lockKey(em, id);
    if (key.revokedAt) return key.publicId;
    key.revokedAt = new Date();
    recordAuditEvent(em, principal, {
      action: 'api_key.revoked',
      subjectId: id,
      details: { name: key.name },
    });
    await tellOthers(em, key);
    return key.publicId;
  });
  apiKeys.forget(publicId);
}

/** Notifies the other processes. PostgreSQL delivers notifications at commit, and none if the transaction fails. */
async function tellOthers(em: ScopedEntityManager, { publicId }: ApiKey): Promise<void> {
  await sql`select pg_notify(${apiKeyChannel}, ${publicId})`.execute(em.getKysely());
}

async function lockKey(em: ScopedEntityManager, id: string): Promise<ApiKey> {
  const key = await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!key) throw notFound();
  return key;
}
