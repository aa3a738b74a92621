import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { TextArray } from '../text-array.ts';

export const contentRuleKinds = [
  'contains',
  'link_in',
  'link_not_in',
] as const satisfies Schemas['ContentRuleKind'][];

/**
 * A rule about the texts of live messages, of one organization or of all. A rule without an organization is that of the
 * platform; everybody may read it, because each message is checked against it.
 */
export const ContentRule = defineEntity({
  name: 'ContentRule',
  tableName: 'content_rules',
  ...ofOrganization,
  policies: [
    ...ofOrganization.policies,
    { name: 'of_platform', command: 'select', roles: ['sms_tenant'], using: 'organization_id is null' },
  ],
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    kind: p.enum(contentRuleKinds),
    /** The phrases or hosts, as the administrator wrote them. */
    values: p.array().type(TextArray).columnType('text[]'),
    /** The same as texts are compared with them: `termsOf`. */
    terms: p.array().type(TextArray).columnType('text[]'),
    /** What the sender of a refused message is told. */
    reason: p.string().columnType('text'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [{ name: 'content_rules_of_organization', properties: ['organization', 'id'] }],
});

export type ContentRule = InferEntity<typeof ContentRule>;
