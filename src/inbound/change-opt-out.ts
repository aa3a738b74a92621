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
 * Carries out a STOP or START message and confirms it once (docs/decisions/inbound.md). STOP puts the phone on the
 * suppression list. START removes the entries that STOP has created. If organizations share a short code, STOP applies
 * to those that have sent to the phone from it; if none has, it applies to all.
 *
 * @param owners the organizations that own the recipient number, at least one
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
    // Of several owners, the one that sent last: the phone most likely replies to it. If none has sent, null.
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
 * A phone that is already opted out stays opted out. The number to which it sent STOP is added to the entry.
 *
 * @returns the organizations for which the opt-out is new
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
 * Ends opt-outs that the recipient has requested. Entries that an operator has made stay: operators have their reasons,
 * and can remove the entries themselves.
 *
 * @param onlyOfThisNumber true if the number is shared: an opt-out by STOP to another number then stays
 * @returns the organizations that may send to the phone again, and could not before
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

/**
 * Returns why START ended no suppression. Organizations that share a short code do not learn what is on the suppression
 * lists of the others.
 */
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

/** Returns who put the phone on the suppression lists of these organizations. */
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
