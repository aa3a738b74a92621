import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';
import { bulkBatchStatuses } from './bulk-batch-status.ts';

/**
 * A text that is to go to every contact of a phonebook.
 *
 * `nextPosition` is the cursor: recipients before it have their messages. `wakeAt` is when the workflow is next
 * expected to act; one that is overdue was never started, or was lost with Temporal's database, and the sweep
 * starts it again. Null: nothing is to be done.
 */
export const BulkBatch = defineEntity({
  name: 'BulkBatch',
  tableName: 'bulk_batches',
  ...ofOrganizationAndEnvironment,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    environment: p.enum(environments),
    campaign: () => p.manyToOne(Campaign).deleteRule('no action'),
    /** No foreign key: the phonebook may go, its batches stay. */
    contactListId: p.uuid(),
    text: p.string().columnType('text'),
    /** The one of the campaign, or the default, when the batch was made. */
    sender: p.string().columnType('text'),
    status: p.enum(bulkBatchStatuses),
    scheduledAt: p.datetime(3).strictNullable(),
    /** Null: as fast as platform and sender may. */
    ratePerSecond: p.integer().strictNullable(),
    /** Recipients, once they are frozen. */
    total: p.integer().default(0),
    nextPosition: p.integer().default(1),
    /** Of the few seconds over which the rate is being measured: since when, and what was made in them. */
    windowStartedAt: p.datetime(3).strictNullable(),
    windowMade: p.integer().default(0),
    measuredPerSecond: p.double().strictNullable(),
    /** What of its messages is counted, once that can change no more: bulk-batch-record.ts. */
    settledCounts: p.json<Record<string, number>>().columnType('jsonb').strictNullable(),
    /** One of `batchFailures`. */
    failure: p.string().columnType('text').strictNullable(),
    createdByKind: p.enum(['api_key', 'user'] as const),
    createdById: p.uuid(),
    wakeAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    completedAt: p.datetime(3).strictNullable(),
  },
  indexes: [
    { name: 'bulk_batches_list', properties: ['organization', 'environment', 'id'] },
    { name: 'bulk_batches_of_campaign', properties: ['campaign'] },
    { name: 'bulk_batches_overdue', properties: ['wakeAt'], where: 'wake_at is not null' },
  ],
});

export type BulkBatch = InferEntity<typeof BulkBatch>;
