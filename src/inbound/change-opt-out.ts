import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../database.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { findLastSent } from './find-last-sent.ts';
import type { Owner } from './find-owners.ts';
import type { Handled, HandledMessage, Reason } from './inbound-errors.ts';
import type { OptOut } from './opt-out-words.ts';
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
  { request, confirmation, confirmationIfHeld }: OptOut,
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
  const audienceOf = request === 'stop' && senders.length > 0 ? senders : owners;
  const handled: Handled = {
    status: 'processed',
    matched: request,
    // Of several, the one who wrote last: the phone most likely answers him. Where nobody wrote it is nobody's.
    organizationId: senders[0]?.organizationId ?? (owners.length === 1 ? owners[0]!.organizationId : null),
    keywordId: null,
    errorCode: null,
    reply: null,
  };
  if (!isPhone) return { ...handled, errorCode: 'invalid_recipient' };

  const ids = audienceOf.map(({ organizationId }) => organizationId);
  const changed =
    request === 'stop'
      ? await suppress(db, message, ids, now)
      : await unsuppress(db, message, ids, owners.length > 1);
  if (changed.size === 0) {
    const errorCode =
      request === 'stop' ? 'already_opted_out' : await explainStart(db, message, handled, ids);
    return { ...handled, errorCode };
  }
  const confirming = [...senders, ...owners].find(({ organizationId }) => changed.has(organizationId))!;
  const { organizationId, sender } = confirming;
  const isHeld = (await findSources(db, message.sender, [organizationId])).includes('operator');
  const text = isHeld ? confirmationIfHeld : confirmation;
  const reply = { organizationId, sender, text, keywordId: null, confirmsOptOut: request === 'stop' };
  const stored = await storeReply(db, message, reply, now);
  return { ...handled, organizationId, ...stored };
}

/**
 * A phone that had stopped stays stopped; that it said so to this number, too, is kept.
 *
 * @returns the organizations to which it is new that the recipient wants nothing
 */
async function suppress(
  db: Sql,
  { id, sender, recipient }: HandledMessage,
  organizationIds: string[],
  now: Date,
): Promise<Set<string>> {
  const rows = organizationIds.map((organizationId) => ({ id: uuidv7(), organizationId }));
  const { rows: stored } = await sql<{ organization_id: string; is_new: boolean }>`
    insert into suppressions (
      id, organization_id, phone_number, reason, source, inbound_message_id, stopped_numbers, created_at
    )
    select suppression.id, "organizationId", ${sender}, 'The recipient sent STOP.', 'recipient', ${id},
      array[${recipient}::text], ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as suppression("id" uuid, "organizationId" uuid)
    order by "organizationId"
    on conflict (organization_id, phone_number, source) do update
      set stopped_numbers = array_remove(suppressions.stopped_numbers, ${recipient}) || excluded.stopped_numbers
    returning organization_id, xmax = 0 as is_new
  `.execute(db);
  return new Set(stored.filter((row) => row.is_new).map((row) => row.organization_id));
}

/**
 * Ends what the recipient has asked for. What an operator has entered stays: he has his reasons, and may take it off
 * himself.
 *
 * @param onlyOfThisNumber of those who share a number, not what was stopped by texting another one
 * @returns the organizations that may write to the phone again, and could not before
 */
async function unsuppress(
  db: Sql,
  { sender, recipient }: HandledMessage,
  organizationIds: string[],
  onlyOfThisNumber: boolean,
): Promise<Set<string>> {
  const stops = sql`
    organization_id = any(${organizationIds}::uuid[]) and phone_number = ${sender} and source = 'recipient'`;
  if (onlyOfThisNumber) {
    await sql`
      update suppressions set stopped_numbers = array_remove(stopped_numbers, ${recipient})
      where ${stops} and stopped_numbers <> array[${recipient}::text]
    `.execute(db);
  }
  const ended = onlyOfThisNumber ? sql`stopped_numbers = array[${recipient}::text]` : sql`true`;
  const { rows } = await sql<{ organization_id: string }>`
    with lifted as (delete from suppressions where ${stops} and ${ended} returning organization_id)
    select organization_id from lifted where not exists (
      select from suppressions operators
      where operators.organization_id = lifted.organization_id and phone_number = ${sender} and source = 'operator'
    )
  `.execute(db);
  return new Set(rows.map((row) => row.organization_id));
}

/** Why START brought no message back. Of those who share a code none is told what another one's list holds. */
async function explainStart(
  db: Sql,
  { sender }: HandledMessage,
  { organizationId }: Handled,
  organizationIds: string[],
): Promise<Reason> {
  const sources = await findSources(db, sender, organizationId === null ? organizationIds : [organizationId]);
  if (sources.length === 0) return 'not_opted_out';
  return sources.includes('operator') ? 'suppressed_by_operator' : 'stopped_elsewhere';
}

/** Who put the phone on the lists of these organizations. */
async function findSources(
  db: Sql,
  phone: string,
  organizationIds: string[],
): Promise<('operator' | 'recipient')[]> {
  const { rows } = await sql<{ source: 'operator' | 'recipient' }>`
    select source from suppressions
    where organization_id = any(${organizationIds}::uuid[]) and phone_number = ${phone}
  `.execute(db);
  return rows.map(({ source }) => source);
}
