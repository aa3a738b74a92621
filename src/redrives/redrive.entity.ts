import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { environments } from '../principal.ts';

/** What can be redriven by a filter. */
export const redriveKinds = ['messages', 'webhook_deliveries'] as const;

export type RedriveKind = (typeof redriveKinds)[number];

/** `pending` until its first page is done; the last two are final. */
export const redriveStatuses = ['pending', 'running', 'completed', 'cancelled'] as const;

export type RedriveStatus = (typeof redriveStatuses)[number];

/**
 * An operator's order to redrive all that fits a filter, and how far it is. It belongs to the platform: the
 * tenants' role has no grant. Each page of work moves `cursor*` and the counts in the transaction that does it,
 * so whatever dies, the next page begins exactly where the last one that was committed ended.
 */
export const Redrive = defineEntity({
  name: 'Redrive',
  tableName: 'redrives',
  properties: {
    id: p.uuid().primary(),
    kind: p.enum(redriveKinds),
    status: p.enum(redriveStatuses),
    /** Of `createdAt` of what is redriven: from, inclusive, and to, exclusive. */
    createdFrom: p.datetime(3),
    createdTo: p.datetime(3),
    /** These three narrow the filter where they are set. No foreign key: the order outlives the organization. */
    organizationId: p.uuid().strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
    environment: p.enum(environments).strictNullable(),
    maxRedriven: p.integer(),
    /** `createdAt` and id of the last row looked at. */
    cursorAt: p.datetime(3),
    cursorId: p.uuid(),
    matched: p.integer().default(0),
    redriven: p.integer().default(0),
    skipped: p.json<Partial<Record<SkipReason, number>>>(),
    requestedBy: p.uuid(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    endedAt: p.datetime(3).strictNullable(),
    /** When its workflow should have acted by; one that is overdue is started again by the sweep. */
    wakeAt: p.datetime(3),
  },
  indexes: [{ name: 'redrives_overdue', properties: ['wakeAt'], where: 'ended_at is null' }],
});

/** Why something that fits the filter is left as it is. */
export type SkipReason =
  /** Another redrive has sent it once more; that happens once, ever. */
  | 'already_redriven'
  /** Its error code says that it must not be sent again (redrivable-errors.ts). */
  | 'error_not_redrivable'
  /** Its delivery left the dead-letter queue meanwhile. */
  | 'not_dead'
  /** Its text was good for one sending, as a security code's is. */
  | 'one_time_text'
  /** Its sender is no longer approved for its organization. */
  | 'sender_not_approved';

export type Redrive = InferEntity<typeof Redrive>;
