import { LockMode } from '@mikro-orm/postgresql';
import { validate } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import { withinOrganization, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { toApiKeyRecord, type ApiKeyRecord } from './api-key-record.ts';
import { ApiKey } from './api-key.entity.ts';
import { readExpiry } from './key-expiry.ts';

/** The body of PATCH /api/v1/api-keys/{keyId}; what is not named stays. */
export interface ApiKeyChange {
  name?: string;
  permissions?: string[];
  metadata?: Record<string, unknown>;
  expiresAt?: string | null;
}

/** Changes a key that is not revoked. Errors: not_found, invalid_state, invalid_request. */
export async function updateApiKey(
  database: Database,
  principal: Principal,
  id: string,
  change: ApiKeyChange,
): Promise<ApiKeyRecord> {
  return withinOrganization(database, principal, async (em) => {
    const key = await lockKey(em, id);
    if (key.revokedAt) {
      throw new ApiError('invalid_state', 'The API key is revoked, which is final. Make a new one.');
    }
    if (change.name !== undefined) key.name = change.name;
    if (change.permissions !== undefined) key.permissions = [...new Set(change.permissions)];
    if (change.metadata !== undefined) key.metadata = change.metadata;
    if (change.expiresAt !== undefined) key.expiresAt = readExpiry(change.expiresAt);
    const { name, permissions, expiresAt } = change;
    recordAuditEvent(em, principal, {
      action: 'api_key.updated',
      subjectId: id,
      details: { name, permissions, expiresAt },
    });
    return toApiKeyRecord(key);
  });
}

/** Revokes a key, for good; every API process refuses it within a second. Twice is once. Errors: not_found. */
export async function revokeApiKey(database: Database, principal: Principal, id: string): Promise<void> {
  await withinOrganization(database, principal, async (em) => {
    const key = await lockKey(em, id);
    if (key.revokedAt) return;
    key.revokedAt = new Date();
    recordAuditEvent(em, principal, {
      action: 'api_key.revoked',
      subjectId: id,
      details: { name: key.name },
    });
  });
}

async function lockKey(em: ScopedEntityManager, id: string): Promise<ApiKey> {
  if (!validate(id)) throw notFound();
  const key = await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!key) throw notFound();
  return key;
}
