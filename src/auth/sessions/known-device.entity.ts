import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../user.entity.ts';

/** A device and network from which a user has signed in. It is forgotten a year after the last time. */
export const KnownDevice = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_devices',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    /** A keyed hash: the table shows neither address nor browser. */
    fingerprint: p.blob(),
    expiresAt: p.datetime(3),
  },
  uniques: [{ name: 'known_devices_unique', properties: ['user', 'fingerprint'] }],
  indexes: [{ name: 'known_devices_expires_at_idx', properties: ['expiresAt'] }],
});

export type KnownDevice = InferEntity<typeof KnownDevice>;
