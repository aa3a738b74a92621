import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../user.entity.ts';

/**
 * A passkey of a user. Only its public key is stored, which is no secret. Written by better-auth (better-auth.ts names the
 * columns it uses).
 */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    name: p.string().columnType('text').strictNullable(),
    publicKey: p.string().columnType('text'),
    /** The id that the authenticator has given it. */
    credentialId: p.string().columnType('text').unique('passkeys_credential_id_unique'),
    /** The signature counter of the last use; 0 for authenticators that do not count. */
    counter: p.integer(),
    deviceType: p.string().columnType('text'),
    /** Whether its provider copies it to other devices of the user. */
    backedUp: p.boolean(),
    transports: p.string().columnType('text').strictNullable(),
    createdAt: p.datetime(3),
    /** The model of the authenticator. */
    aaguid: p.string().columnType('text').strictNullable(),
  },
  indexes: [{ name: 'passkeys_user_id_idx', properties: ['user'] }],
});

export type Passkey = InferEntity<typeof Passkey>;
