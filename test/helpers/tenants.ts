import { v7 as uuidv7 } from 'uuid';
import { ApiKey } from '../../src/api-keys/api-key.entity.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { permissions as allPermissions, type Permission } from '../../src/auth/permissions.ts';
import type { Database } from '../../src/database.ts';
import { Organization } from '../../src/organizations/organization.entity.ts';
import { acrossOrganizations } from '../../src/organizations/organization-scope.ts';
import type { Environment } from '../../src/principal.ts';
import { SenderId } from '../../src/sender-ids/sender-id.entity.ts';

/** An organization with an approved default sender. Only the first one gets ACME, because a sender has one owner. */
export interface Tenant {
  organizationId: string;
  sender: string;
  /** Creates an API key of the organization, with the given permissions or all. */
  createKey: (options?: {
    environment?: Environment;
    permissions?: Permission[];
    expiresAt?: Date;
    revokedAt?: Date;
    allowedAddresses?: string[];
  }) => Promise<string>;
}

export async function createTenant(
  database: Database,
  options: { sender?: string | null } = {},
): Promise<Tenant> {
  const em = database.em.fork();
  const createdAt = new Date();
  const id = uuidv7();
  const isTaken = await em.count(SenderId, { value: 'ACME' }, { filters: acrossOrganizations });
  const sender = options.sender === undefined ? (isTaken ? `ACME-${id.slice(-8)}` : 'ACME') : options.sender;
  em.create(Organization, { id, name: 'Acme', slug: `acme-${id}`, logo: null, metadata: null, createdAt });
  if (sender !== null) em.create(SenderId, approvedSender(id, sender, createdAt));
  await em.flush();
  return {
    organizationId: id,
    sender: sender ?? '',
    createKey: async ({ environment = 'live', permissions, expiresAt, revokedAt, allowedAddresses } = {}) => {
      const { key, publicId, secretHash } = generateApiKey(environment);
      const forked = database.em.fork();
      forked.create(ApiKey, {
        id: uuidv7(),
        organization: id,
        maker: null,
        name: 'test',
        environment,
        publicId,
        secretHash,
        permissions: permissions ?? [...allPermissions],
        metadata: null,
        allowedAddresses: allowedAddresses ?? null,
        expiresAt: expiresAt ?? null,
        revokedAt: revokedAt ?? null,
        lastUsedAt: null,
        createdAt,
      });
      await forked.flush();
      return key;
    },
  };
}

function approvedSender(organization: string, value: string, createdAt: Date) {
  return {
    id: uuidv7(),
    organization,
    value,
    status: 'approved' as const,
    isDefault: true,
    useCase: 'Tests of the service.',
    sampleMessage: 'Hello.',
    website: null,
    reviewReason: null,
    reviewedAt: createdAt,
    createdAt,
  };
}
