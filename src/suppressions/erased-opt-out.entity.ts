import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { suppressionSources } from './suppression.entity.ts';

/** An entry of the suppression list whose number was erased. It stays in force as a keyed hash of the number. */
export const ErasedOptOut = defineEntity({
  name: 'ErasedOptOut',
  tableName: 'erased_opt_outs',
  ...ofOrganization,
  properties: {
    organization: () => p.manyToOne(Organization).primary().deleteRule('cascade'),
    numberHash: p.blob().primary(),
    source: p.enum(suppressionSources).primary(),
    createdAt: p.datetime(3),
  },
});

export type ErasedOptOut = InferEntity<typeof ErasedOptOut>;
