import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../../http/contract/contract-types.ts';

/** What happens when few codes are verified. */
export const watchModes = ['off', 'alarm', 'hold'] as const satisfies Schemas['SecurityCodeWatchMode'][];

/**
 * When security codes that nobody verifies raise an alarm, and how far they are counted: one row, which belongs to the
 * platform. `ensureWatch` inserts it, with the defaults of its columns. The tenants' role has no grant.
 */
export const SecurityCodeWatch = defineEntity({
  name: 'SecurityCodeWatch',
  tableName: 'security_code_watch',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    mode: p.enum(watchModes).default('alarm'),
    minCodes: p.integer().default(30),
    minVerifiedPercent: p.smallint().default(20),
    holdHours: p.smallint().default(12),
    exemptOrganizationIds: p.array().columnType('uuid[]').default([]),
    exemptPrefixes: p.array().columnType('text[]').default([]),
    /** The codes that were created before this minute are counted; null if none ever were. */
    countedTo: p.datetime(3).strictNullable(),
    /** Null if nobody has changed the settings. */
    updatedAt: p.datetime(3).strictNullable(),
  },
  checks: [{ name: 'security_code_watch_id_check', expression: 'id = 1' }],
});

export type SecurityCodeWatch = InferEntity<typeof SecurityCodeWatch>;
