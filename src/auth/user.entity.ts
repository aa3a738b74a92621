import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Roles of a user on the platform; those within an organization are the member's. */
export const userRoles = ['user', 'admin'] as const;

/** A person who can sign in. Written by better-auth (better-auth.ts names the columns it uses). */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    name: p.string().columnType('text'),
    /** Lower case, as better-auth looks it up. */
    email: p.string().columnType('text').unique('users_email_unique'),
    emailVerified: p.boolean().default(false),
    image: p.string().columnType('text').strictNullable(),
    role: p.enum(userRoles).default('user'),
    banned: p.boolean().default(false),
    banReason: p.string().columnType('text').strictNullable(),
    banExpires: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type User = InferEntity<typeof User>;
