import { validate as isUuid } from 'uuid';
import { tablesOf, type Database } from '../../database.ts';
import { notFound } from '../../errors.ts';
import { inAccountTransaction } from '../account-transaction.ts';
import type { Mailer } from '../mails/mailer.ts';
import { recordSecurityEvent, type NewSecurityEvent } from '../security-events/record-security-event.ts';
import { hashSessionToken } from './session-token.ts';
import { Session } from './session.entity.ts';
import { User } from '../user.entity.ts';

/** Lists the live sessions of a user, newest first. Error: not_found, if the user does not exist. */
export async function listUserSessions(database: Database, userId: string, now: Date): Promise<Session[]> {
  const em = database.em.fork();
  if (!isUuid(userId) || (await em.count(User, { id: userId })) === 0) throw notFound();
  return listOwnSessions(database, userId, now);
}

/** Lists the live sessions of a user, newest first. */
export function listOwnSessions(database: Database, userId: string, now: Date): Promise<Session[]> {
  const live = { user: userId, expiresAt: { $gt: now } };
  return database.em.fork().find(Session, live, { orderBy: { id: 'desc' } });
}

/** Which sessions: all that match each given value. */
export type SessionChoice = ({ id: string } | { token: string } | { userId: string }) & {
  userId?: string;
  exceptId?: string;
};

/**
 * Deletes sessions, within the surrounding transaction if there is one.
 *
 * @returns the users of those sessions in which they had signed in themselves; empty if no session matches
 */
export async function deleteSessions(database: Database, choice: SessionChoice): Promise<Set<string>> {
  const { id, token, userId, exceptId } = choice as { [name: string]: string | undefined };
  const deleted = await tablesOf<typeof Session>(database.em)
    .deleteFrom('Session')
    .$if(id !== undefined, (sessions) => sessions.where('id', '=', id!))
    .$if(token !== undefined, (sessions) => sessions.where('token', '=', hashSessionToken(token!)))
    .$if(userId !== undefined, (sessions) => sessions.where('user', '=', userId!))
    .$if(exceptId !== undefined, (sessions) => sessions.where('id', '<>', exceptId!))
    .returning(['user', 'impersonatedBy'])
    .execute();
  return new Set(deleted.filter(({ impersonatedBy }) => impersonatedBy === null).map(({ user }) => user));
}

/** Ends sessions and records it for their user, in one commit. If no session matches, it does nothing. */
export async function endSessions(
  dependencies: { database: Database; mailer: Mailer | null },
  choice: SessionChoice,
  event: Pick<NewSecurityEvent, 'client' | 'administratorId'> & { kind: 'signed_out' | 'session_ended' },
  at: Date,
): Promise<void> {
  const { database } = dependencies;
  await inAccountTransaction(database, async () => {
    for (const userId of await deleteSessions(database, choice)) {
      await recordSecurityEvent(dependencies, { userId, ...event }, at);
    }
  });
}
