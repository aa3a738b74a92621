import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { Organization } from './organization.entity.ts';
import { ofOrganization } from './organization-scope.ts';

/** Roles within an organization. Contract section 2 defines their permissions. */
export const memberRoles = ['owner', 'admin', 'member'] as const satisfies Schemas['MemberRole'][];

export type MemberRole = (typeof memberRoles)[number];

/** The constraint name that identifies an error of the trigger below. */
export const ownerRequiredConstraint = 'members_keep_an_owner';

/** A user's membership of an organization: one row with one role. */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    role: p.enum(memberRoles).default('member'),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'members_user_unique', properties: ['organization', 'user'] }],
  indexes: [
    { name: 'members_organization_id_idx', properties: ['organization'] },
    { name: 'members_user_id_idx', properties: ['user'] },
  ],
  triggers: [
    {
      // better-auth counts the owners and then deletes or changes one: two owners who leave concurrently would each see
      // the other. Therefore the organization's row is locked before an owner is removed, so that concurrent removals
      // run one after the other. When the organization itself is deleted, there is no row to lock.
      name: 'keep_an_owner',
      timing: 'after',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if old.role <> 'owner' or (tg_op = 'UPDATE' and new.role = 'owner') then return null; end if;
perform from organizations where id = old.organization_id for update;
if found and not exists (select from members where organization_id = old.organization_id and role = 'owner') then
  raise exception using errcode = 'check_violation', constraint = '${ownerRequiredConstraint}',
    message = 'the organization would be left without an owner';
end if;
return null;`,
    },
    {
      // An invitation is as good as the right to invite: someone who was removed must not give roles through an
      // invitation that is still open. The statement that ends the right cancels those that it no longer covers. An
      // acceptance at the same moment waits for the row, and finds it canceled or comes first.
      name: 'cancel_invitations',
      timing: 'after',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
update invitations set status = 'canceled'
  where organization_id = old.organization_id and inviter_id = old.user_id and status = 'pending'
    and (tg_op = 'DELETE' or new.role = 'member' or (new.role = 'admin' and role = 'owner'));
return null;`,
    },
  ],
});

export type Member = InferEntity<typeof Member>;
