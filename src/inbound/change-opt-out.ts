import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { findLastSent } from './find-last-sent.ts';
import type { Owner } from './find-owners.ts';
import type { Handled, HandledMessage } from './handled.ts';
import type { readOptOut } from './opt-out-words.ts';
import { storeReply } from './store-reply.ts';

/**
 * Does what a message with STOP or START asks for, and confirms it once (docs/decisions/inbound.md): STOP puts the
 * phone on the suppression list, START takes off it what STOP has put there. Whoever shares a short code is asked
 * to stop if he has sent to the phone from it; if nobody has, all are.
 *
 * @param owners whose the number is that was texted, at least one
 */
export async function changeOptOut(
  db: Sql,
  message: HandledMessage,
  owners: readonly Owner[],
  { request, confirmation }: NonNullable<ReturnType<typeof readOptOut>>,
  now: Date,
): Promise<Handled> {
  const isPhone = normalizeRecipient(message.sender).ok;
  const senders = isPhone
    ? await findLastSent(db, owners, message.sender, {
        since: new Date(0),
        environments: ['live'],
        answers: true,
      })
    : [];
  const concerned = request === 'stop' && senders.length > 0 ? senders : owners;
  const handled: Handled = {
    status: 'processed',
    matched: request,
    // Of several, the one who wrote last: the phone most likely answers him. Where nobody wrote it is nobody's.
    organizationId: senders[0]?.organizationId ?? (owners.length === 1 ? owners[0]!.organizationId : null),
    keywordId: null,
    errorCode: null,
    reply: null,
  };
  if (!isPhone) return { ...handled, status: 'failed', errorCode: 'invalid_recipient' };

  const ids = concerned.map(({ organizationId }) => organizationId);
  const changed =
    request === 'stop'
      ? await suppress(db, message, ids, now)
      : await unsuppress(db, message, ids, owners.length > 1);
  if (changed.size === 0) {
    return { ...handled, errorCode: request === 'stop' ? 'already_opted_out' : 'not_opted_out' };
  }
  const confirming = [...senders, ...owners].find(({ organizationId }) => changed.has(organizationId))!;
  const { organizationId, sender } = confirming;
  const stored = await storeReply(
    db,
    message,
    { organizationId, sender, text: confirmation, keywordId: null, confirmsOptOut: request === 'stop' },
    now,
  );
  return { ...handled, organizationId, ...stored };
}

/** @returns the organizations on whose lists the phone was not yet */
async function suppress(
  db: Sql,
  { id, sender }: HandledMessage,
  organizationIds: string[],
  now: Date,
): Promise<Set<string>> {
  const rows = organizationIds.map((organizationId) => ({ id: uuidv7(), organizationId }));
  const { rows: stored } = await sql<{ organization_id: string }>`
    insert into suppressions (id, organization_id, phone_number, reason, source, inbound_message_id, created_at)
    select suppression.id, "organizationId", ${sender}, 'The recipient sent STOP.', 'recipient', ${id}, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as suppression("id" uuid, "organizationId" uuid)
    order by "organizationId"
    on conflict (organization_id, phone_number) do nothing
    returning organization_id
  `.execute(db);
  return new Set(stored.map((row) => row.organization_id));
}

/**
 * What an operator has entered stays: he has his reasons, and may take it off himself.
 *
 * @param onlyOfThisNumber of those who share a number, not what was stopped by texting another one
 * @returns the organizations on whose lists the phone is no more
 */
async function unsuppress(
  db: Sql,
  { sender, recipient }: HandledMessage,
  organizationIds: string[],
  onlyOfThisNumber: boolean,
): Promise<Set<string>> {
  const byThisNumber = sql`exists (
    select from inbound_messages stop
    where stop.id = suppressions.inbound_message_id and stop.recipient = ${recipient}
  )`;
  const { rows } = await sql<{ organization_id: string }>`
    delete from suppressions
    where organization_id = any(${organizationIds}::uuid[]) and phone_number = ${sender}
      and source = 'recipient' and ${onlyOfThisNumber ? byThisNumber : sql`true`}
    returning organization_id
  `.execute(db);
  return new Set(rows.map((row) => row.organization_id));
}
