import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';

export const templateCategories = [
  'general',
  'marketing',
  'notification',
  'otp',
  'reminder',
] as const satisfies Schemas['TemplateCategory'][];

export type TemplateCategory = (typeof templateCategories)[number];

export const templateScopes = ['team', 'personal'] as const satisfies Schemas['TemplateScope'][];

export type TemplateScope = (typeof templateScopes)[number];

/** A reusable text. A personal template has an owner and is deleted with them; a team's template has no owner. */
export const Template = defineEntity({
  name: 'Template',
  tableName: 'templates',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    owner: () => p.manyToOne(User).strictNullable().deleteRule('cascade'),
    /** The user who created it; null if an API key did, or if the user is unknown. */
    maker: () => p.manyToOne(User).strictNullable().deleteRule('set null'),
    name: p.string().columnType('text'),
    content: p.string().columnType('text'),
    category: p.enum(templateCategories),
    scope: p.enum(templateScopes),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  uniques: [
    {
      name: 'templates_team_name_unique',
      expression: `create unique index templates_team_name_unique on templates (organization_id, lower(name)) where scope = 'team'`,
    },
    {
      name: 'templates_personal_name_unique',
      expression: `create unique index templates_personal_name_unique on templates (organization_id, owner_id, lower(name)) where scope = 'personal'`,
    },
  ],
  checks: [{ name: 'templates_owner_check', expression: `(scope = 'personal') = (owner_id is not null)` }],
  indexes: [{ name: 'templates_list', properties: ['organization', 'id'] }],
});

export type Template = InferEntity<typeof Template>;
