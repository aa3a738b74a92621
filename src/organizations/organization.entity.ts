import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { isOrganization } from './organization-scope.ts';

/** A tenant. Everything except users belongs to exactly one tenant. */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  ...isOrganization,
  properties: {
    id: p.uuid().primary(),
    name: p.string().columnType('text'),
    slug: p.string().columnType('text').unique('organizations_slug_unique'),
    logo: p.string().columnType('text').strictNullable(),
    metadata: p.string().columnType('text').strictNullable(),
    createdAt: p.datetime(3),
  },
});

export type Organization = InferEntity<typeof Organization>;
