import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/user.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { notificationKinds } from './notification-kinds.ts';

/**
 * A notification to one person. `position` grows in the order in which a person's notifications become visible, so a
 * stream that has shown one notification has shown all earlier ones: docs/decisions/notifications.md.
 */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    /** Null if it belongs to the person, whichever organization they view. */
    organization: () => p.manyToOne(Organization).deleteRule('cascade').strictNullable(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    kind: p.enum(notificationKinds),
    subjectId: p.uuid(),
    /** Identifies the event among the events of its kind. */
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
