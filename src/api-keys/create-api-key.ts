import { v7 as uuidv7 } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toApiKeyRecord } from './api-key-record.ts';
import { ApiKey } from './api-key.entity.ts';
import { generateApiKey } from './api-key.ts';
import { readAllowedAddresses } from './allowed-addresses.ts';
import { defaultExpiry, readExpiry } from './key-expiry.ts';

/**
 * Creates a key of the caller's organization. Only the response contains the whole key, because only a digest of its
 * secret is stored. Errors: invalid_request for an expiry in the past, or for an address that is none.
 *
 * @param liveKeyDays after how many days a live key expires that names no expiry; undefined for never
 */
export async function createApiKey(
  database: Database,
  principal: Principal,
  input: Schemas['ApiKeyInput'],
  liveKeyDays: number | undefined,
): Promise<Schemas['NewApiKey']> {
  const { key, publicId, secretHash } = generateApiKey(input.environment);
  const stored = await asTenant(database, principal, async (em) => {
    const created = em.create(ApiKey, {
      id: uuidv7(),
      organization: principal.organizationId,
      maker: principal.personId,
      name: input.name,
      environment: input.environment,
      publicId,
      secretHash,
      permissions: [...new Set(input.permissions)],
      metadata: input.metadata ?? null,
      expiresAt: readExpiry(input.expiresAt ?? null) ?? defaultExpiry(input.environment, liveKeyDays),
      allowedAddresses: readAllowedAddresses(input.allowedAddresses ?? null),
      revokedAt: null,
      lastUsedAt: null,
      createdAt: new Date(),
    });
    const { name, environment, permissions, expiresAt, allowedAddresses } = created;
    recordAuditEvent(em, principal, {
      action: 'api_key.created',
      subjectId: created.id,
      details: { name, environment, permissions, expiresAt, allowedAddresses },
    });
    return created;
  });
  return { ...toApiKeyRecord(stored), key };
}
