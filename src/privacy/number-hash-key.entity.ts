import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The key of the hashes of numbers: one row, which belongs to the platform. The tenants' role has no grant. */
export const NumberHashKey = defineEntity({
  name: 'NumberHashKey',
  tableName: 'number_hash_keys',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    sealedKey: p.blob(),
  },
  checks: [{ name: 'number_hash_keys_id_check', expression: 'id = 1' }],
});

export type NumberHashKey = InferEntity<typeof NumberHashKey>;
