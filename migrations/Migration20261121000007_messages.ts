import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { expectFewOrganizations, knowMoreOrganizations, notAnalysedWhileTiny } from './table-statistics.ts';

/** Messages and their timeline. */
export class Migration20261121000007_messages extends Migration {
  override up(): void {
    this.addSql(`
      create table messages (
        id uuid primary key,
        -- An organization that has messages cannot be deleted: what a caller was promised is not lost by accident.
        organization_id uuid not null
          constraint messages_organization_id_foreign references organizations on delete restrict,
        environment text not null check (environment in ('live', 'test')),
        sender text not null,
        recipient text not null,
        text text not null,
        sealed_text bytea,
        encoding text not null check (encoding in ('gsm7', 'ucs2')),
        segments smallint not null,
        status text not null
          check (status in ('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled')),
        provider_message_id text,
        error_code text,
        error_message text,
        metadata json not null,
        webhook_url text,
        sealed_webhook_secret bytea,
        created_at timestamptz(3) not null,
        accepted_at timestamptz(3),
        sent_at timestamptz(3),
        delivered_at timestamptz(3),
        failed_at timestamptz(3),
        valid_until timestamptz(3) not null,
        dispatch_id uuid,
        due_at timestamptz(3),
        attempts smallint not null default 0,
        outcome_unknown boolean not null default false,
        redriven_from uuid
          constraint messages_redriven_from_foreign references messages on delete set null,
        one_time_text boolean not null default false,
        ignores_suppression boolean not null default false,
        -- No foreign keys: that of a batch would be checked for each message, and messages do not depend on inbound.
        bulk_batch_id uuid,
        answers_inbound_id uuid
      ) with (
        -- Each status that a message passes through leaves a dead entry behind. By default they are swept when a fifth
        -- of the table has changed; by then a list of what is queued would wade through millions of them.
        autovacuum_vacuum_scale_factor = 0.01,
        autovacuum_analyze_scale_factor = 0.01,
        ${notAnalysedWhileTiny}
      );
      ${expectFewOrganizations('messages')}
      ${knowMoreOrganizations('messages')}
      ${behindWall('messages', 'select, insert, update, delete')}
    `);
    this.addSql(`
      -- The filters of GET /api/v1/messages: docs/decisions/message-lists.md. bench/message-list.ts measures what they
      -- read and what they cost.
      create index messages_list on messages (organization_id, environment, id);
      create index messages_list_by_status on messages (organization_id, environment, status, id);
      create index messages_list_by_recipient on messages (organization_id, environment, recipient, status, id);
      create index messages_list_by_sender on messages (organization_id, environment, sender, status, id);

      -- A dispatch claims messages and asks for what is due.
      create index messages_unclaimed on messages (id) where dispatch_id is null and status = 'queued';
      create index messages_open on messages (dispatch_id, due_at) where status in ('queued', 'accepted', 'sent');

      -- Redrives read what has failed, page by page, and send a message once more at most.
      create index messages_failed on messages (created_at, id) where status = 'failed';
      create index messages_failed_of_organization on messages (organization_id, created_at, id)
        where status = 'failed';
      create unique index messages_redriven_from_unique on messages (redriven_from) where redriven_from is not null;

      -- The ledger of a batch counts without reading the table.
      create index messages_of_bulk_batch on messages (bulk_batch_id, status)
        include (organization_id, error_code, segments) where bulk_batch_id is not null;

      -- A message from a phone gets one reply at most.
      create unique index messages_answer_unique on messages (answers_inbound_id) where answers_inbound_id is not null;

      -- Workers find the secrets that are left to seal: docs/decisions/sealed-webhook-secrets.md.
    `);
    this.addSql(`
      create table message_events (
        id bigserial primary key,
        organization_id uuid not null,
        message_id uuid not null
          constraint message_events_message_id_foreign references messages on delete cascade,
        at timestamptz(3) not null,
        kind text not null check (kind in (
          'queued', 'submission_attempted', 'submission_answered', 'submission_doubtful', 'report_received',
          'expired', 'redriven', 'redrive_of', 'suppressed', 'refused', 'cancelled'
        )),
        status text
          check (status in ('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled')),
        details jsonb not null
      );
      create index message_events_timeline on message_events (message_id, id);
      ${behindWall('message_events', 'select, insert')}
      grant usage on sequence message_events_id_seq to sms_tenant;
    `);
  }
}
