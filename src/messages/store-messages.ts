import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';

/**
 * A message that passed every rule but those that only the database can judge: whether its sender is approved,
 * and whether its recipient has opted out.
 */
export interface MessageDraft {
  id: string;
  organizationId: string;
  environment: 'live' | 'test';
  /** As the caller named it; null asks for the organization's default. */
  sender: string | null;
  recipient: string;
  text: string;
  encoding: 'gsm7' | 'ucs2';
  segments: number;
  metadata: Record<string, unknown>;
  webhookUrl: string | null;
  webhookSecret: string | null;
  createdAt: Date;
  validUntil: Date;
  /** Send it even to a number that has opted out: a security code, which its recipient asked for. */
  ignoresSuppression?: boolean;
}

/** What became of a draft. */
export type StoredDraft =
  | { outcome: 'stored'; sender: string }
  /** The sender is not approved, or there is no default. */
  | { outcome: 'sender_refused' }
  | { outcome: 'recipient_opted_out' };

/** The built-in sender that test keys may use without approval (contract section 3). */
export const testSender = 'TEST';

/**
 * Joins rows called `draft` with the approved sender that each names, or with its organization's default, and
 * leaves out those that have neither.
 */
export const withPermittedSender = sql`
  left join sender_ids on sender_ids.organization_id = draft."organizationId"
    and sender_ids.status = 'approved'
    and case when draft.sender is null then sender_ids.is_default else sender_ids.value = draft.sender end
  where sender_ids.id is not null or (draft.environment = 'test' and draft.sender = ${testSender})
`;

/**
 * Stores messages with the first line of their timelines: one statement, one commit, however many come.
 *
 * @returns for each draft, in order, the sender it was stored with, or why nothing was stored for it
 */
export async function storeMessages(db: Sql, drafts: MessageDraft[]): Promise<StoredDraft[]> {
  const { rows } = await sql<{ id: string; sender: string; optedOut: boolean }>`
    with draft as (
      select * from json_to_recordset(${JSON.stringify(drafts)}::json) as draft(
        "id" uuid, "organizationId" uuid, "environment" text, "sender" text, "recipient" text, "text" text,
        "encoding" text, "segments" smallint, "metadata" json, "webhookUrl" text, "webhookSecret" text,
        "createdAt" timestamptz, "validUntil" timestamptz,
        "ignoresSuppression" boolean
      )
    ), judged as (
      select draft.*, coalesce(sender_ids.value, draft.sender) as permitted_sender,
        "ignoresSuppression" is not true and ${isSuppressed('draft."organizationId"', 'draft.recipient')} as opted_out
      from draft
      ${withPermittedSender}
    ), permitted as (
      select * from judged where not opted_out
    ), stored as (
      insert into messages (
        id, organization_id, environment, sender, recipient, text, encoding, segments, status, metadata,
        webhook_url, webhook_secret, created_at, valid_until, due_at, ignores_suppression
      )
      select id, "organizationId", environment, permitted_sender, recipient, text, encoding, segments, 'queued',
        metadata, "webhookUrl", "webhookSecret", "createdAt", "validUntil", "createdAt",
        "ignoresSuppression" is true
      from permitted
      returning id, organization_id, sender, created_at
    ), noted as (
      insert into message_events (organization_id, message_id, at, kind, status, details)
      select organization_id, id, created_at, 'queued', 'queued', '{}' from stored
    )
    select id, sender, false as "optedOut" from stored
    union all select id, permitted_sender, true from judged where opted_out
  `.execute(db);
  const judged = new Map(rows.map((row) => [row.id, row]));
  return drafts.map(({ id }) => {
    const row = judged.get(id);
    if (!row) return { outcome: 'sender_refused' };
    return row.optedOut ? { outcome: 'recipient_opted_out' } : { outcome: 'stored', sender: row.sender };
  });
}
