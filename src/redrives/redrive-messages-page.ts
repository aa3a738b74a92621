import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { defaultValidityMs } from '../messages/message-status.ts';
import { permittedSender } from '../sender-ids/permitted-sender.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { rowsBeyondCursor } from './page-of-rows.ts';
import { redrivableErrorCodes } from './redrivable-errors.ts';
import type { RedrivePage } from './redriven-page.ts';
import type { SkipReason } from './redrive.entity.ts';

const senderOfRow = permittedSender({
  organizationId: sql`looked_at.organization_id`,
  environment: sql`looked_at.environment`,
  wanted: sql`looked_at.sender`,
});

/**
 * Sends a page of failed messages once more, in one statement. The failed message stays unchanged, except for an event
 * on its timeline. The new message is stored as the API would store it now.
 *
 * The unique index on `redriven_from` prevents a second redrive of a message. Of two concurrent redrives, one stores
 * the new message and the other counts it as already redriven.
 */
export const redriveMessagesPage: RedrivePage = async (db, redrive, { rows, maxRedriven, at }) => {
  const { id: redriveId, errorCode, environment } = redrive;
  // Never before the redrive, even if the clocks of the two processes differ: see rowsBeyondCursor.
  const createdAt = at < redrive.createdAt ? redrive.createdAt : at;
  const newIds = Array.from({ length: rows }, () => uuidv7());
  const { rows: answers } = await sql<{
    last_id: string | null;
    last_at: string | null;
    exhausted: boolean;
    refused: Partial<Record<SkipReason, number>> | null;
    wanted: number;
    stored: DispatchRow[] | null;
  }>`
    with looked_at as (
      ${rowsBeyondCursor(sql`messages`, 'failed', redrive, rows)}
    ), judged as (
      select looked_at.*, row_number() over by_time as position, fits, refusal,
        -- The number of redrivable rows up to and including this row: it shows where the page reaches its limit.
        count(*) filter (where fits and refusal is null) over by_time as nth
      from looked_at
      cross join lateral (
        select ${errorCode === null ? sql`true` : sql`coalesce(error_code = ${errorCode}, false)`}
          and ${environment === null ? sql`true` : sql`environment = ${environment}`} as fits
      ) filtered
      cross join lateral (
        select case
          when error_code is null or error_code <> all (${redrivableErrorCodes}::text[]) then 'error_not_redrivable'
          when one_time_text then 'one_time_text'
          when exists (select from messages newer where newer.redriven_from = looked_at.id) then 'already_redriven'
          when ${senderOfRow} is null then 'sender_not_approved'
        end as refusal
      ) refusals
      window by_time as (order by created_at, looked_at.id)
    ), page as (
      select * from judged
      where nth < ${maxRedriven} or (nth = ${maxRedriven} and fits and refusal is null)
    ), stored as (
      insert into messages (
        id, organization_id, environment, sender, recipient, text, encoding, segments, status, metadata,
        webhook_url, sealed_webhook_secret, webhook_secret, created_at, valid_until, due_at, redriven_from
      )
      select (${newIds}::uuid[])[position], organization_id, environment, sender, recipient, text, encoding,
        segments, 'queued', metadata, webhook_url, sealed_webhook_secret, webhook_secret, ${createdAt},
        ${new Date(createdAt.getTime() + defaultValidityMs)}, ${createdAt}, id
      from page where fits and refusal is null order by created_at, id
      on conflict (redriven_from) where redriven_from is not null do nothing
      returning id, organization_id, redriven_from
    ), noted as (
      insert into message_events (organization_id, message_id, at, kind, status, details)
      select organization_id, message_id, ${at}, kind, status, details::jsonb from stored
      cross join lateral (values
        (1, stored.redriven_from, 'redriven', null,
          json_build_object('messageId', stored.id, 'redriveId', ${redriveId}::text)),
        (2, stored.id, 'queued', 'queued', '{}'),
        (3, stored.id, 'redrive_of', null,
          json_build_object('messageId', stored.redriven_from, 'redriveId', ${redriveId}::text))
      ) line (place, message_id, kind, status, details)
      order by stored.id, place
    )
    select last.id as last_id, last.created_at as last_at,
      (select count(*) from judged) < ${rows} and (select count(*) from page) = (select count(*) from judged) as exhausted,
      (select json_object_agg(refusal, refused) from (
        select refusal, count(*) as refused from page where fits and refusal is not null group by 1
      ) counted) as refused,
      (select count(*)::int from page where fits and refusal is null) as wanted,
      (select json_agg(json_build_object('id', id, 'organizationId', organization_id)) from stored) as stored
    from (select) always left join (select id, created_at from page order by position desc limit 1) last on true
  `.execute(db);
  const { last_id: lastId, last_at: lastAt, exhausted, refused, wanted, stored } = answers[0]!;
  const skipped = { ...refused };
  const lostRaces = wanted - (stored?.length ?? 0);
  if (lostRaces > 0) skipped.already_redriven = (skipped.already_redriven ?? 0) + lostRaces;
  return {
    last: lastId === null || lastAt === null ? null : { id: lastId, createdAt: new Date(lastAt) },
    exhausted,
    redriven: stored ?? [],
    skipped,
  };
};
