import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { environments } from '../principal.ts';

/**
 * The key of an answered request, written in the transaction that creates the requested resource: neither exists
 * without the other. A refused request stores no key.
 */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  ...ofOrganizationAndEnvironment,
  properties: {
    organization: () => p.manyToOne(Organization).primary().deleteRule('cascade'),
    environment: p.enum(environments).primary(),
    /** Method and path of the operation: `POST /api/v1/messages`. */
    route: p.string().columnType('text').primary(),
    key: p.string().columnType('text').primary(),
    /** SHA-256 of the validated body in canonical form. */
    digest: p.blob(),
    status: p.smallint(),
    /** The body of the response, byte for byte. */
    body: p.string().columnType('text'),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'idempotency_keys_age', properties: ['createdAt'] }],
});

export type IdempotencyKey = InferEntity<typeof IdempotencyKey>;
