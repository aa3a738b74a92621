import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { Message } from './message.entity.ts';

/** Returns one message of the caller. Errors: not_found, both for an unknown id and for another caller's message. */
export async function getMessage(
  database: Database,
  principal: Principal,
  id: string,
): Promise<MessageRecord> {
  const message = await asTenant(database, principal, (em) => em.findOne(Message, { id }));
  if (!message) throw notFound();
  return toMessageRecord({ ...message, organizationId: message.organization.id });
}
