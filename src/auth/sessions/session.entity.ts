import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../../organizations/organization.entity.ts';
import { User } from '../user.entity.ts';

/** One sign-in of a user. A ban keeps the rows, so that the user gets the error `banned`, not `unauthenticated`. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    /** The hash of the token (session-token.ts). Only the user has the token itself. */
    token: p.string().columnType('text').unique('sessions_token_unique'),
    expiresAt: p.datetime(3),
    ipAddress: p.string().columnType('text').strictNullable(),
    userAgent: p.string().columnType('text').strictNullable(),
    activeOrganization: () => p.manyToOne(Organization).deleteRule('set null').strictNullable(),
    /** The administrator who acts as this user. No foreign key, so that the trace outlives the administrator. */
    impersonatedBy: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [
    { name: 'sessions_user_id_idx', properties: ['user'] },
    { name: 'sessions_expires_at_idx', properties: ['expiresAt'] },
    {
      name: 'sessions_impersonated_by_idx',
      properties: ['impersonatedBy'],
      where: 'impersonated_by is not null',
    },
  ],
  triggers: [
    {
      // Sessions in which an administrator impersonates someone end together with any session of the administrator: by
      // sign-out, by a new password, or by another administrator. Whoever stole the session may have started them, and
      // no list shows them to the administrator. A session that has merely expired ends nothing.
      name: 'end_impersonations',
      timing: 'after',
      events: ['delete'],
      forEach: 'row',
      body: `if old.impersonated_by is null and old.expires_at > now() then delete from sessions where impersonated_by = old.user_id; end if;
return null;`,
    },
  ],
});

export type Session = InferEntity<typeof Session>;
