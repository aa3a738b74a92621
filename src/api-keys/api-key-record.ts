import type { Environment } from '../principal.ts';
import type { ApiKey } from './api-key.entity.ts';

/** A key in lists and responses, without its secret. */
export interface ApiKeyRecord {
  id: string;
  organizationId: string;
  name: string;
  environment: Environment;
  /** The part of the key before its secret, which distinguishes keys in a configuration. */
  prefix: string;
  publicId: string;
  permissions: string[];
  metadata: Record<string, unknown> | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  createdAt: string;
}

export function toApiKeyRecord(key: ApiKey): ApiKeyRecord {
  return {
    id: key.id,
    organizationId: key.organization.id,
    name: key.name,
    environment: key.environment,
    prefix: `sms_${key.environment}_${key.publicId}`,
    publicId: key.publicId,
    permissions: key.permissions,
    metadata: key.metadata,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
