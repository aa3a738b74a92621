import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { environments } from '../principal.ts';
import { bulkBatchStatuses } from './bulk-batch-status.ts';

/**
 * A text to send to every contact of a phonebook.
 *
 * `nextPosition` is the cursor: recipients before it have their messages. `wakeAt` is when the workflow is next
 * expected to act. If this time has passed, the workflow never started, or was lost with Temporal's database, and the
 * sweep starts it again. Null: there is nothing to do.
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
    /** No foreign key: a phonebook can be deleted, and its batches stay. */
    contactListId: p.uuid(),
    text: p.string().columnType('text'),
    /** The sender of the campaign, or the default sender, at the time the batch was created. */
    sender: p.string().columnType('text'),
    status: p.enum(bulkBatchStatuses),
    scheduledAt: p.datetime(3).strictNullable(),
    /** Null: limited only by the rates of the platform and the sender. */
    ratePerSecond: p.integer().strictNullable(),
    /** The number of recipients, once they are frozen. */
    total: p.integer().default(0),
    nextPosition: p.integer().default(1),
    /**
     * The current measurement of the rate, over a few seconds: when it began, and how many messages were created
     * since.
     */
    windowStartedAt: p.datetime(3).strictNullable(),
    windowMade: p.integer().default(0),
    measuredPerSecond: p.double().strictNullable(),
    /** The counts of the batch's messages, once they can no longer change: bulk-batch-record.ts. */
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
