import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Roles of a user on the platform. Members have the roles within an organization. */
export const userRoles = ['user', 'admin'] as const;

/** The constraint name that identifies an error of the trigger below. */
export const administratorRequiredConstraint = 'users_keep_an_administrator';

/** A person who can sign in. Written by better-auth (better-auth.ts names the columns it uses). */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    name: p.string().columnType('text'),
    /** In lower case, because better-auth searches for it in lower case. */
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
      // Without this trigger an administrator could remove the role from the last administrator, including themselves,
      // and only someone with access to the database could restore it. Each of two concurrent demotions would still see
      // the other administrator, so a lock makes them run one after the other. An expired ban does not count as a ban.
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
      // Sessions in which an administrator impersonates someone end in the statement that bans, demotes or deletes the
      // administrator. Otherwise they would become valid again when the administrator is restored.
      name: 'end_impersonations',
      timing: 'after',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if tg_op = 'DELETE' or new.banned or new.role <> 'admin' then delete from sessions where impersonated_by = old.id; end if;
return null;`,
    },
    {
      // A banned person can no longer invite, and so their open invitations end too.
      name: 'cancel_invitations',
      timing: 'after',
      events: ['update'],
      forEach: 'row',
      body: `if not new.banned or old.banned then return null; end if;
update invitations set status = 'canceled' where inviter_id = old.id and status = 'pending';
return null;`,
    },
  ],
});

export type User = InferEntity<typeof User>;
