import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The kinds of dispatches. Each kind has its table of rows, its workflow and its task queue. */
export const dispatchKinds = ['messages', 'webhooks', 'security-codes', 'inbound'] as const;

export type DispatchKind = (typeof dispatchKinds)[number];

/**
 * A group of rows that one workflow processes until all are final. Its id is that of its first row, so the workflow of
 * a message that was dispatched alone has the message's own id. A row that is processed again gets another id.
 *
 * `wakeAt` is when its workflow is next expected to act. An overdue workflow was never started, was lost with
 * Temporal's database, or has no worker: the sweep starts it again, which has no effect on a running one. `startedAt`
 * is when Temporal first started its workflow; null if it has not done so yet.
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
    startedAt: p.datetime(3).strictNullable(),
    settledAt: p.datetime(3).strictNullable(),
  },
  indexes: [{ name: 'dispatches_overdue', properties: ['wakeAt'], where: 'settled_at is null' }],
});

export type Dispatch = InferEntity<typeof Dispatch>;
