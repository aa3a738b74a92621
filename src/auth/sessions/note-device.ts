import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { sqlOf, type Database } from '../../database.ts';
import { networkOf } from '../../rate-limits/network-of.ts';
import { afterCommit } from '../account-transaction.ts';
import type { Mailer } from '../mails/mailer.ts';
import { newDeviceMail } from '../mails/mails.ts';

const rememberedDays = 365;

/**
 * Notes from where a user has signed in, and sends a mail if it is a device or a network that is not known of them. The
 * first one of an account is known. A browser stays the same in its next versions.
 *
 * @param secret the key of the hash that is stored
 */
export async function noteDevice(
  { database, mailer, secret }: { database: Database; mailer: Mailer | null; secret: string },
  signIn: { userId: string; ipAddress: string | null; userAgent: string | null },
  at: Date,
): Promise<void> {
  const { userId, ipAddress, userAgent } = signIn;
  const device = [userId, networkOf(ipAddress ?? undefined), (userAgent ?? '').replace(/[\d._]+/g, '')];
  const fingerprint = createHmac('sha256', secret).update(device.join('\n')).digest('hex');
  const expiresAt = new Date(at.getTime() + rememberedDays * 24 * 3600_000);
  const { rows } = await sql<{ isNew: boolean; email: string }>`
    with known as (select count(*) as devices from known_devices where user_id = ${userId}),
    noted as (
      insert into known_devices (id, user_id, fingerprint, expires_at)
      values (${uuidv7()}, ${userId}, decode(${fingerprint}, 'hex'), ${expiresAt})
      on conflict on constraint known_devices_unique do update set expires_at = excluded.expires_at
      returning xmax = 0 as inserted
    )
    select noted.inserted and known.devices > 0 as "isNew", users.email
    from noted, known, users where users.id = ${userId}
  `.execute(sqlOf(database));
  const [row] = rows;
  if (row?.isNew && mailer)
    afterCommit(() => mailer.send(newDeviceMail(row.email, at, ipAddress, userAgent)));
}
