import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organizations/organization.entity.ts';

/** How far the days of an organization are rolled up. It decides what is done next, never what a report contains. */
export const RollUpProgress = defineEntity({
  name: 'RollUpProgress',
  tableName: 'roll_up_progress',
  properties: {
    organization: () => p.manyToOne(Organization).primary().deleteRule('cascade'),
    /** The setting in the organization's metadata that the days follow; null for none. */
    timezone: p.string().columnType('text').strictNullable(),
    /** Each day before this moment is rolled up, or is not worth it. */
    rolledUpTo: p.datetime(3),
  },
});
