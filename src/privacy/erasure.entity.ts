import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';

export const erasureStatuses = [
  'running',
  'waiting',
  'completed',
] as const satisfies Schemas['Erasure']['status'][];

/** What must end before an erasure goes on. */
export type WaitingFor = NonNullable<Schemas['Erasure']['waitingFor']>;

/**
 * The erasure of one number from the data of an organization, or of the platform, and its progress. Each page updates step, cursor and counts in its own transaction, so
 * after a crash the next page begins where the last committed one ended.
 */
export const Erasure = defineEntity({
  name: 'Erasure',
  tableName: 'erasures',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    /** Null for an erasure of what belongs to no organization, which an administrator has requested. */
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    numberHash: p.blob(),
    /** The number, sealed for the erasure; null once it is completed. */
    sealedNumber: p.blob().strictNullable(),
    status: p.enum(erasureStatuses),
    waitingFor: p.string().columnType('text').strictNullable(),
    step: p.smallint().default(0),
    /** Where the next page of the step begins; null: at the beginning. */
    cursor: p.string().columnType('text').strictNullable(),
    /** The number of changed rows, by table. */
    erased: p.json<Record<string, number>>().default('{}'),
    requestedBy: p.uuid(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
    /** The time by which its workflow must act. */
    wakeAt: p.datetime(3).strictNullable(),
  },
  uniques: [
    {
      name: 'erasures_open_unique',
      properties: ['organization', 'numberHash'],
      where: 'completed_at is null',
    },
    {
      name: 'erasures_of_platform_open_unique',
      properties: ['numberHash'],
      where: 'organization_id is null and completed_at is null',
    },
  ],
  indexes: [
    { name: 'erasures_list', properties: ['organization', 'id'] },
    { name: 'erasures_overdue', properties: ['wakeAt'], where: 'wake_at is not null' },
  ],
});

export type Erasure = InferEntity<typeof Erasure>;
