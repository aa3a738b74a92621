import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { toCursorPage, type CursorPage } from '../http/cursor.ts';
import { withinOrganization } from '../organizations/organization-scope.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { Message } from './message.entity.ts';

/** Lists the caller's messages, newest first. Its cost is that of the page, whatever is stored. */
export async function listMessages(
  database: Database,
  principal: Principal,
  page: { limit: number; before: string | null },
): Promise<CursorPage<MessageRecord>> {
  const messages = await withinOrganization(database, principal, (em) =>
    em.find(Message, page.before ? { id: { $lt: page.before } } : {}, {
      orderBy: { id: 'desc' },
      limit: page.limit + 1,
    }),
  );
  return toCursorPage(messages, page.limit, (message) =>
    toMessageRecord({ ...message, organizationId: message.organization.id }),
  );
}
