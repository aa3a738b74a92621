import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';

/** How long an organization keeps personal data, and what was discarded so far. An organization without a row keeps all. */
export const RetentionRules = defineEntity({
  name: 'RetentionRules',
  tableName: 'retention_rules',
  ...ofOrganization,
  properties: {
    /** The organization's id: workflows of rows are named by an id. */
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** Null: kept. */
    textDays: p.smallint().strictNullable(),
    numberDays: p.smallint().strictNullable(),
    inboundDays: p.smallint().strictNullable(),
    webhookBodyDays: p.smallint().strictNullable(),
    messageTexts: p.integer().default(0),
    messageNumbers: p.integer().default(0),
    inboundMessages: p.integer().default(0),
    webhookBodies: p.integer().default(0),
    /** By the name of a step, the id of the last row that was examined when the step ended. */
    cursors: p.json<Record<string, string>>().default('{}'),
    step: p.smallint().default(0),
    /** The last row that was examined in this step, or part of a row: page-through-parts.ts. Null at its beginning. */
    cursor: p.string().columnType('text').strictNullable(),
    lastRunAt: p.datetime(3).strictNullable(),
    /** When the workflow must next act. Null while nothing is to be discarded. */
    wakeAt: p.datetime(3).strictNullable(),
  },
  checks: [{ name: 'retention_rules_id_check', expression: 'organization_id = id' }],
  indexes: [{ name: 'retention_rules_overdue', properties: ['wakeAt'], where: 'wake_at is not null' }],
});

export type RetentionRules = InferEntity<typeof RetentionRules>;
