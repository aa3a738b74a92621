import type { Database } from '../../database.ts';
import { validate as isUuid } from 'uuid';
import { notFound } from '../../errors.ts';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../../http/cursor.ts';
import { User } from '../user.entity.ts';
import { SecurityEvent } from './security-event.entity.ts';

/** Lists what happened to the account of a user, newest first. */
export async function listSecurityEvents(
  database: Database,
  userId: string,
  page: CursorQuery,
): Promise<CursorPage<Schemas['SecurityEvent']>> {
  const before = page.before === null ? {} : { id: { $lt: page.before } };
  const events = await database.em
    .fork()
    .find(SecurityEvent, { user: userId, ...before }, { orderBy: { id: 'desc' }, limit: page.limit + 1 });
  return toCursorPage(events, page, toRecord);
}

/** The same for administrators. Error: not_found, if the user does not exist. */
export async function listSecurityEventsOfUser(
  database: Database,
  userId: string,
  page: CursorQuery,
): Promise<CursorPage<Schemas['SecurityEvent']>> {
  const isKnown = isUuid(userId) && (await database.em.fork().count(User, { id: userId })) > 0;
  if (!isKnown) throw notFound();
  return listSecurityEvents(database, userId, page);
}

function toRecord({ id, at, kind, method, ipAddress, userAgent, administratorId }: SecurityEvent) {
  return { id, at: at.toISOString(), kind, method, ipAddress, userAgent, administratorId };
}
