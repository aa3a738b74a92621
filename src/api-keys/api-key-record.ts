import type { Schemas } from '../http/contract/contract-types.ts';
import type { ApiKey } from './api-key.entity.ts';

/** A key in lists and responses, without its secret. */
export type ApiKeyRecord = Schemas['ApiKey'];

export function toApiKeyRecord(key: ApiKey): ApiKeyRecord {
  return {
    id: key.id,
    organizationId: key.organization.id,
    name: key.name,
    environment: key.environment,
    // The part of the key before its secret, which distinguishes keys in a configuration.
    prefix: `sms_${key.environment}_${key.publicId}`,
    publicId: key.publicId,
    permissions: key.permissions,
    metadata: key.metadata,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    allowedAddresses: key.allowedAddresses,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
