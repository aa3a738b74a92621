import { v7 as uuidv7 } from 'uuid';
import { sqlOf, type Sql } from '../../src/database.ts';
import type { NotificationEvent } from '../../src/notifications/notification-kinds.ts';
import { recordNotifications } from '../../src/notifications/record-notifications.ts';
import type { TestDatabase } from './databases.ts';
import type { Person } from './people.ts';

/** An event that notifies one person, about a batch that they created. */
export function eventFor(
  { userId }: Person,
  organizationId: string,
  fields: Partial<NotificationEvent> = {},
): NotificationEvent {
  const id = uuidv7();
  return {
    ...{ kind: 'batch_completed', organizationId, personId: userId, subjectId: id, occurrence: id },
    ...{ title: 'Batch', body: 'Done.', data: { bulkSmsId: id } },
    ...fields,
  };
}

/** Records events in a separate transaction, as the change that causes them would. */
export async function tell(
  db: TestDatabase,
  events: NotificationEvent[],
  before: (transaction: Sql) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await sqlOf(db.database)
    .transaction()
    .execute(async (transaction) => {
      await before(transaction);
      await recordNotifications(transaction, events, new Date());
    });
}

/** Makes a person a member, without an invitation. */
export async function join(
  db: TestDatabase,
  { userId }: Person,
  organizationId: string,
  role = 'member',
): Promise<void> {
  await db.query(
    `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, ?, now())`,
    [organizationId, userId, role],
  );
}
