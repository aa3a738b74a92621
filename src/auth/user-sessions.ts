import { validate as isUuid } from 'uuid';
import type { Database } from '../database.ts';
import { notFound } from '../errors.ts';
import { Session } from './session.entity.ts';
import { User } from './user.entity.ts';

/** Lists the sessions of a user that are not over, the newest first. Error: not_found, for a user who is none. */
export async function listUserSessions(database: Database, userId: string, now: Date): Promise<Session[]> {
  const em = database.em.fork();
  if (!isUuid(userId) || (await em.count(User, { id: userId })) === 0) throw notFound();
  return em.find(Session, { user: userId, expiresAt: { $gt: now } }, { orderBy: { id: 'desc' } });
}

/** Ends the session with this id, or this token. One that is over, or was never, needs no end. */
export async function revokeUserSession(database: Database, idOrToken: string): Promise<void> {
  await database.em
    .fork()
    .nativeDelete(Session, isUuid(idOrToken) ? { id: idOrToken } : { token: idOrToken });
}
