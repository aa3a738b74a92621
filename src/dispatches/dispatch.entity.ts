import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** What a dispatch holds; each kind has its table of rows, its workflow and its task queue. */
export const dispatchKinds = ['messages', 'webhooks', 'security-codes', 'inbound'] as const;

export type DispatchKind = (typeof dispatchKinds)[number];

/**
 * A group of rows that one workflow carries to their end. Its id is that of its first row, so the workflow
 * of a message that was alone is found by the message's own id; a row that is carried again finds another id.
 *
 * `wakeAt` is when its workflow is next expected to act. One that is overdue was never started, or was lost
 * with Temporal's database, or has no worker: the sweep starts it again, which a running one survives.
 * `startedAt` is when Temporal first took its workflow; null: it has none yet.
 */
export const Dispatch = defineEntity({
  name: 'Dispatch',
  tableName: 'dispatches',
  properties: {
    id: p.uuid().primary(),
    kind: p.enum(dispatchKinds).primary(),
    organizationIds: p.array().columnType('uuid[]'),
    isBulk: p.boolean().default(false),
    createdAt: p.datetime(3),
    wakeAt: p.datetime(3),
    // A process of an older version, which starts workflows and does not say so, leaves it out.
    startedAt: p.datetime(3).strictNullable().defaultRaw('now()'),
    settledAt: p.datetime(3).strictNullable(),
  },
  indexes: [{ name: 'dispatches_overdue', properties: ['wakeAt'], where: 'settled_at is null' }],
});

export type Dispatch = InferEntity<typeof Dispatch>;
