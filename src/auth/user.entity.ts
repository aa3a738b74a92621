import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Roles of a user on the platform; those within an organization are the member's. */
export const userRoles = ['user', 'admin'] as const;

/** The constraint by which an error of the trigger below is known. */
export const administratorRequiredConstraint = 'users_keep_an_administrator';

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
  triggers: [
    {
      // Whoever is administrator may take the role from the last one, himself included, and then only someone with
      // access to the database could give it back. Two demotions at the same moment would each see the other, so
      // whoever takes an administrator away waits for who does it at the same time. A ban that has run out is none.
      name: 'keep_an_administrator',
      timing: 'after',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if old.role <> 'admin' or (old.banned and (old.ban_expires is null or old.ban_expires > now())) then return null; end if;
if tg_op = 'UPDATE' and new.role = 'admin' and not (new.banned and (new.ban_expires is null or new.ban_expires > now())) then return null; end if;
perform pg_advisory_xact_lock(hashtextextended('${administratorRequiredConstraint}', 0));
if not exists (select from users where role = 'admin' and not (banned and (ban_expires is null or ban_expires > now()))) then
  raise exception using errcode = 'check_violation', constraint = '${administratorRequiredConstraint}',
    message = 'the service would be left without an administrator';
end if;
return null;`,
    },
    {
      // What an administrator has opened as someone else would come back to life with him: it ends with the statement
      // that takes his power from him, whoever makes it, and not only while he has none.
      name: 'end_impersonations',
      timing: 'after',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if tg_op = 'DELETE' or new.banned or new.role <> 'admin' then delete from sessions where impersonated_by = old.id; end if;
return null;`,
    },
  ],
});

export type User = InferEntity<typeof User>;
