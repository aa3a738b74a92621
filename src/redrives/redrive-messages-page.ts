import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { insertEvents } from '../messages/timeline/insert-events.ts';
import { insertMessages } from '../messages/insert-messages.ts';
import { defaultValidityMs } from '../messages/message-status.ts';
import { metrics } from '../metrics.ts';
import { permittedSender } from '../sender-ids/permitted-sender.ts';
import { toDate } from '../stored-rows.ts';
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

/** What a resent message has of its own, besides what every message has. */
const resentProperties = ['sealedWebhookSecret', 'redrivenFrom'] as const;

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
    lastId: string | null;
    lastAt: string | null;
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
          when text = '' or recipient like '%*%' then 'personal_data_discarded'
          when exists (select from messages newer where newer.redriven_from = looked_at.id) then 'already_redriven'
          when ${senderOfRow} is null then 'sender_not_approved'
        end as refusal
      ) refusals
      window by_time as (order by created_at, looked_at.id)
    ), page as (
      select * from judged
      where nth < ${maxRedriven} or (nth = ${maxRedriven} and fits and refusal is null)
    ), resent as (
      select (${newIds}::uuid[])[position] as id, organization_id as "organizationId", environment, sender, recipient,
        text, encoding, segments, metadata, webhook_url as "webhookUrl",
        encode(sealed_webhook_secret, 'base64') as "sealedWebhookSecret", ${createdAt}::timestamptz as "createdAt",
        ${new Date(createdAt.getTime() + defaultValidityMs)}::timestamptz as "validUntil", id as "redrivenFrom"
      from page where fits and refusal is null
    ), ${insertMessages(sql`resent order by id`, resentProperties, { skipRedriven: true })}, linked as (
      -- Reads noted, so that the new message is queued before anything else happens to it.
      ${insertEvents(sql`
        select organization_id, line.message_id, stored.created_at, kind, null, details
        from noted join stored on stored.id = noted.message_id
        cross join lateral (values
          (stored.redriven_from, 'redriven', jsonb_build_object('messageId', stored.id, 'redriveId', ${redriveId}::text)),
          (stored.id, 'redrive_of', jsonb_build_object('messageId', stored.redriven_from, 'redriveId', ${redriveId}::text))
        ) line (message_id, kind, details)
      `)}
    )
    select last.id as "lastId", last.created_at as "lastAt",
      (select count(*) from judged) < ${rows} and (select count(*) from page) = (select count(*) from judged) as exhausted,
      (select json_object_agg(refusal, refused) from (
        select refusal, count(*) as refused from page where fits and refusal is not null group by 1
      ) counted) as refused,
      (select count(*)::int from page where fits and refusal is null) as wanted,
      (select json_agg(json_build_object('id', id, 'organizationId', organization_id)) from stored) as stored
    from (select) always left join (select id, created_at from page order by position desc limit 1) last on true
  `.execute(db);
  const { lastId, lastAt, exhausted, refused, wanted, stored } = answers[0]!;
  metrics.messagesCreated.inc({ source: 'redrive' }, stored?.length ?? 0);
  const skipped = { ...refused };
  const lostRaces = wanted - (stored?.length ?? 0);
  if (lostRaces > 0) skipped.already_redriven = (skipped.already_redriven ?? 0) + lostRaces;
  return {
    last: lastId === null || lastAt === null ? null : { id: lastId, createdAt: toDate(lastAt) },
    exhausted,
    redriven: stored ?? [],
    skipped,
  };
};
