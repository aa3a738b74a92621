import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from './user.entity.ts';

/** The provider id of accounts with a password. */
export const passwordProvider = 'credential';

/**
 * A sign-in method of a user: a password, or an account at a provider. The provider's tokens are not stored
 * (better-auth.ts).
 */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    providerId: p.string().columnType('text'),
    /** The user's id at the provider; for a password, the user's id here. */
    accountId: p.string().columnType('text'),
    accessToken: p.string().columnType('text').strictNullable(),
    refreshToken: p.string().columnType('text').strictNullable(),
    idToken: p.string().columnType('text').strictNullable(),
    accessTokenExpiresAt: p.datetime(3).strictNullable(),
    refreshTokenExpiresAt: p.datetime(3).strictNullable(),
    scope: p.string().columnType('text').strictNullable(),
    /** A scrypt hash in the format of better-auth. */
    password: p.string().columnType('text').strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  uniques: [{ name: 'accounts_provider_unique', properties: ['providerId', 'accountId'] }],
  indexes: [{ name: 'accounts_user_id_idx', properties: ['user'] }],
});

export type Account = InferEntity<typeof Account>;
