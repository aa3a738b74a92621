import type { Request } from 'express';
import { sql, type RawBuilder } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { sqlOf, type Database } from '../../database.ts';
import { afterCommit } from '../account-transaction.ts';
import { accountChangeMail } from '../mails/account-change-mail.ts';
import type { Mailer } from '../mails/mailer.ts';
import type { SecurityEventKind, SignInMethod } from './security-event.entity.ts';

const keptDays = 365;
/**
 * The maximum number of events of a kind that are kept of a user in an hour, so that nobody fills the table: neither a
 * stranger with wrong passwords nor the user with sign-ins.
 */
const failuresPerHour = 20;
const othersPerHour = 100;
/** Longer names of programs are cut. */
const longestUserAgent = 300;

/** From where a request came. */
export interface Client {
  ipAddress: string | null;
  userAgent: string | null;
}

/** The address and the program of a request. */
export function clientOf(request: Request): Client {
  return { ipAddress: request.ip ?? null, userAgent: request.get('User-Agent') ?? null };
}

export interface NewSecurityEvent {
  userId: string;
  kind: SecurityEventKind;
  method?: SignInMethod | null;
  client: Client;
  /** The administrator who did it to the user. */
  administratorId?: string;
}

/**
 * Records what happened to an account, within the surrounding transaction if there is one, and mails the user about a
 * change of how they sign in once it is committed. Beyond the limit of its kind, an event is neither recorded nor mailed.
 */
export async function recordSecurityEvent(
  { database, mailer }: { database: Database; mailer: Mailer | null },
  { userId, ...event }: NewSecurityEvent,
  at: Date,
): Promise<void> {
  const email = await insert(database, sql`u.id = ${userId}`, event, at);
  const mail = email === null ? null : accountChangeMail(email, event, at);
  if (mail && mailer) afterCommit(() => mailer.send(mail));
}

/**
 * Records a sign-in with a wrong password, if the address is that of an account. The statement is the same for every
 * address, and the commit does not wait for the disk, so that its duration does not tell whether the account exists.
 */
export async function recordWrongPassword(
  database: Database,
  { email, client }: { email: string; client: Client },
  at: Date,
): Promise<void> {
  const isQuick = sql`(select set_config('synchronous_commit', 'off', true)) = 'off'`;
  const event = { kind: 'sign_in_failed' as const, method: 'password' as const, client };
  await insert(database, sql`u.email = ${email.toLowerCase()} and ${isQuick}`, event, at);
}

/**
 * Inserts an event of the user that `isUser` is true of.
 *
 * @param isUser part of a select from `users u`
 * @returns the address of the user; null if there is no such user, or the limit of the kind is reached
 */
async function insert(
  database: Database,
  isUser: RawBuilder<unknown>,
  event: Omit<NewSecurityEvent, 'userId'>,
  at: Date,
): Promise<string | null> {
  const { kind, method = null, client, administratorId = null } = event;
  const userAgent = client.userAgent?.slice(0, longestUserAgent) ?? null;
  const expiresAt = new Date(at.getTime() + keptDays * 24 * 3600_000);
  const anHourBefore = new Date(at.getTime() - 3600_000);
  const limit = kind === 'sign_in_failed' ? failuresPerHour : othersPerHour;
  const { rows } = await sql<{ email: string }>`
    with recorded as (
      insert into security_events
        (id, user_id, at, kind, method, ip_address, user_agent, administrator_id, expires_at)
      select ${uuidv7()}, u.id, ${at}, ${kind}, ${method}, ${client.ipAddress}, ${userAgent},
        ${administratorId}::uuid, ${expiresAt}
      from users u
      where ${isUser} and (
        select count(*) from security_events e
        where e.user_id = u.id and e.kind = ${kind} and e.at > ${anHourBefore}
      ) < ${limit}
      returning user_id
    )
    select u.email from recorded join users u on u.id = recorded.user_id
  `.execute(sqlOf(database));
  return rows[0]?.email ?? null;
}
