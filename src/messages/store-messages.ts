import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** A message that passed every rule but the one that only the database can judge: whether its sender is approved. */
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
}

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
 * @returns for each draft, in order, the sender it was stored with; null: the sender was not approved, or
 *   there is no default, and nothing was stored for this draft
 */
export async function storeMessages(db: Sql, drafts: MessageDraft[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string; sender: string }>`
    with draft as (
      select * from json_to_recordset(${JSON.stringify(drafts)}::json) as draft(
        "id" uuid, "organizationId" uuid, "environment" text, "sender" text, "recipient" text, "text" text,
        "encoding" text, "segments" smallint, "metadata" json, "webhookUrl" text, "webhookSecret" text,
        "createdAt" timestamptz, "validUntil" timestamptz
      )
    ), permitted as (
      select draft.*, coalesce(sender_ids.value, draft.sender) as permitted_sender
      from draft
      ${withPermittedSender}
    ), stored as (
      insert into messages (
        id, organization_id, environment, sender, recipient, text, encoding, segments, status, metadata,
        webhook_url, webhook_secret, created_at, valid_until, due_at
      )
      select id, "organizationId", environment, permitted_sender, recipient, text, encoding, segments, 'queued',
        metadata, "webhookUrl", "webhookSecret", "createdAt", "validUntil", "createdAt"
      from permitted
      returning id, organization_id, sender, created_at
    ), noted as (
      insert into message_events (organization_id, message_id, at, kind, status, details)
      select organization_id, id, created_at, 'queued', 'queued', '{}' from stored
    )
    select id, sender from stored
  `.execute(db);
  const senders = new Map(rows.map(({ id, sender }) => [id, sender]));
  return drafts.map(({ id }) => senders.get(id) ?? null);
}
