import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import { memberRoles } from './member.entity.ts';
import { Organization } from './organization.entity.ts';
import { ofOrganization } from './organization-scope.ts';

export const invitationStatuses = ['pending', 'accepted', 'rejected', 'canceled'] as const;

/** An invitation of an e-mail address into an organization; whoever has proven that address may take it, once. */
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
  indexes: [
    { name: 'invitations_organization_id_idx', properties: ['organization'] },
    { name: 'invitations_email_idx', properties: ['email'] },
  ],
});

export type Invitation = InferEntity<typeof Invitation>;
