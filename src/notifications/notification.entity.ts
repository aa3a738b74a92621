import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { notificationKinds } from './notification-kinds.ts';

/**
 * What one person is told. `position` grows in the order in which a person's notifications become visible, so that a
 * stream that has shown one has shown all before it: docs/decisions/notifications.md.
 */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    /** Null: it is told to the person as such, whichever organization he looks at. */
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    kind: p.enum(notificationKinds),
    subjectId: p.uuid(),
    /** Names the event among those of its kind. */
    occurrence: p.string().columnType('text'),
    title: p.string().columnType('text'),
    body: p.string().columnType('text'),
    data: p.json<Record<string, string | number | boolean | null>>(),
    position: p.bigint(),
    createdAt: p.datetime(3),
    readAt: p.datetime(3).strictNullable(),
  },
  uniques: [{ name: 'notifications_told_once', properties: ['user', 'kind', 'occurrence'] }],
  indexes: [
    { name: 'notifications_list', properties: ['user', 'organization', 'position'] },
    {
      name: 'notifications_unread',
      properties: ['user', 'organization', 'position'],
      where: 'read_at is null',
    },
  ],
});

export type Notification = InferEntity<typeof Notification>;
