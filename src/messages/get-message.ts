import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toMessageRecord, type MessageRecord } from './message-record.ts';
import { Message } from './message.entity.ts';

/** Reads one message of the caller. Errors: not_found, alike for what does not exist and what is another's. */
export async function getMessage(
  database: Database,
  principal: Principal,
  id: string,
): Promise<MessageRecord> {
  if (!validate(id)) throw notFound();
  const message = await asTenant(database, principal, (em) => em.findOne(Message, { id }));
  if (!message) throw notFound();
  return toMessageRecord({ ...message, organizationId: message.organization.id });
}
