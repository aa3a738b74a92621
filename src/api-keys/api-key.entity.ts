import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';

/** A key of an organization. Only the SHA-256 of its secret is stored, so a stolen table gives no access. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** The user who created the key; null if that is unknown or the account no longer exists. */
    maker: () => p.manyToOne(User).strictNullable().deleteRule('set null'),
    name: p.string().columnType('text'),
    environment: p.enum(environments),
    publicId: p.string().columnType('text').unique('api_keys_public_id_unique'),
    secretHash: p.blob(),
    permissions: p.array<Schemas['Permission']>().columnType('text[]'),
    metadata: p.json<Record<string, unknown>>().strictNullable(),
    /** IP addresses and networks from which the key may be used; null for any. */
    allowedAddresses: p.array().columnType('text[]').strictNullable(),
    expiresAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    lastUsedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'api_keys_organization', properties: ['organization', 'id'] }],
});

export type ApiKey = InferEntity<typeof ApiKey>;
