import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hashPassword } from 'better-auth/crypto';
import { v7 as uuidv7 } from 'uuid';
import { Account, passwordProvider } from './account.entity.ts';
import { User, type userRoles } from './user.entity.ts';

/** Generates a random password: 144 bits, 24 characters of base64url. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * Adds a user with a password to the next flush of `em`, as better-auth would after a sign-up and a confirmed address.
 * Commands use this; people sign up.
 *
 * @returns the user, whose address is in lower case
 */
export async function createUser(
  em: EntityManager,
  input: { email: string; name: string; password: string; role: (typeof userRoles)[number] },
): Promise<User> {
  const createdAt = new Date();
  const user = em.create(User, {
    id: uuidv7(),
    name: input.name,
    email: input.email.toLowerCase(),
    emailVerified: true,
    image: null,
    role: input.role,
    banned: false,
    banReason: null,
    banExpires: null,
    createdAt,
    updatedAt: createdAt,
  });
  em.create(Account, {
    id: uuidv7(),
    user,
    providerId: passwordProvider,
    accountId: user.id,
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
    scope: null,
    password: await hashPassword(input.password),
    createdAt,
    updatedAt: createdAt,
  });
  return user;
}
