import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { environments } from '../principal.ts';
import type { Schemas } from '../http/contract/contract-types.ts';

/** The things that can be redriven by a filter. */
export const redriveKinds = [
  'messages',
  'webhook_deliveries',
] as const satisfies Schemas['Redrive']['kind'][];

export type RedriveKind = (typeof redriveKinds)[number];

/** `pending` until the first page is done. The last three are final. */
export const redriveStatuses = [
  'pending',
  'running',
  'completed',
  'cancelled',
  'failed',
] as const satisfies Schemas['Redrive']['status'][];

/**
 * An operator's request to redrive everything that matches a filter, and its progress. It belongs to the platform: the
 * tenants' role has no grant. Each page updates `cursor*` and the counts in its own transaction. So after any crash,
 * the next page begins exactly where the last committed page ended.
 */
export const Redrive = defineEntity({
  name: 'Redrive',
  tableName: 'redrives',
  properties: {
    id: p.uuid().primary(),
    kind: p.enum(redriveKinds),
    status: p.enum(redriveStatuses),
    /** The range of `createdAt` of the redriven rows: from, inclusive, and to, exclusive. */
    createdFrom: p.datetime(3),
    createdTo: p.datetime(3),
    /** These three narrow the filter if they are set. No foreign key: the redrive outlives the organization. */
    organizationId: p.uuid().strictNullable(),
    errorCode: p.string().columnType('text').strictNullable(),
    environment: p.enum(environments).strictNullable(),
    maxRedriven: p.integer(),
    /** `createdAt` and id of the last examined row. */
    cursorAt: p.datetime(3),
    cursorId: p.uuid(),
    matched: p.integer().default(0),
    redriven: p.integer().default(0),
    skipped: p.json<Partial<Record<SkipReason, number>>>(),
    requestedBy: p.uuid(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    endedAt: p.datetime(3).strictNullable(),
    /** The time by which its workflow must act. The sweep restarts the workflow of an overdue redrive. */
    wakeAt: p.datetime(3),
  },
  indexes: [{ name: 'redrives_overdue', properties: ['wakeAt'], where: 'ended_at is null' }],
});

/** Why something that matches the filter is skipped. */
export type SkipReason =
  /** Another redrive has sent it once more. A message is redriven only once. */
  | 'already_redriven'
  /** Its error code does not allow sending it again (redrivable-errors.ts). */
  | 'error_not_redrivable'
  /** The delivery has left the dead-letter queue meanwhile. */
  | 'not_dead'
  /** Its text is valid for one sending only, like the text of a security code. */
  | 'one_time_text'
  /** Its text, its number or its body was discarded or erased. */
  | 'personal_data_discarded'
  /** Its sender is no longer approved for its organization. */
  | 'sender_not_approved';

export type Redrive = InferEntity<typeof Redrive>;
