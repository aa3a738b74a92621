import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import { memberRoles } from './member.entity.ts';
import { Organization } from './organization.entity.ts';
import { ofOrganization } from './organization-scope.ts';

/** `expired` is written when the address is invited again; until then an expired invitation is still pending. */
export const invitationStatuses = ['pending', 'accepted', 'rejected', 'canceled', 'expired'] as const;

/** An invitation of an e-mail address to an organization. A user who has confirmed that address can accept it once. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    email: p.string().columnType('text'),
    role: p.enum(memberRoles),
    status: p.enum(invitationStatuses).default('pending'),
    expiresAt: p.datetime(3),
    inviter: () => p.manyToOne(User).deleteRule('cascade'),
    createdAt: p.datetime(3),
  },
  uniques: [
    {
      // better-auth searches for an open invitation and then adds one: two concurrent requests would each find none.
      name: 'invitations_open_unique',
      expression: `create unique index invitations_open_unique on invitations (organization_id, lower(email)) where status = 'pending'`,
    },
  ],
  indexes: [
    { name: 'invitations_organization_id_idx', properties: ['organization'] },
    { name: 'invitations_email_idx', properties: ['email'] },
  ],
});

export type Invitation = InferEntity<typeof Invitation>;
