import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A token that was sent to a user: the link with which the user (`value`) sets a new password. */
export const Verification = defineEntity({
  name: 'Verification',
  tableName: 'verifications',
  properties: {
    id: p.uuid().primary(),
    /** The hash of the token. Only the mail contains the token itself. */
    identifier: p.string().columnType('text'),
    value: p.string().columnType('text'),
    expiresAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [
    { name: 'verifications_identifier_idx', properties: ['identifier'] },
    { name: 'verifications_value_idx', properties: ['value'] },
    { name: 'verifications_expires_at_idx', properties: ['expiresAt'] },
  ],
});

export type Verification = InferEntity<typeof Verification>;
