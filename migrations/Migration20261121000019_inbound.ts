import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { expectFewOrganizations, knowMoreOrganizations } from './table-statistics.ts';

/** Messages from phones, and the rules that answer them: docs/decisions/inbound.md. */
export class Migration20261121000019_inbound extends Migration {
  override up(): void {
    this.addSql(`
      create table inbound_keywords (
        id uuid primary key,
        organization_id uuid not null
          constraint inbound_keywords_organization_id_foreign references organizations on delete cascade,
        keyword text not null,
        folded_keyword text not null,
        match_type text not null check (match_type in ('exact', 'starts_with', 'contains')),
        response text not null,
        sender text,
        enabled boolean not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint inbound_keywords_rule_unique unique (organization_id, match_type, folded_keyword)
      );
      create index inbound_keywords_list on inbound_keywords (organization_id, id);
      ${behindWall('inbound_keywords', 'select, insert, update, delete')}
    `);
    this.addSql(`
      create table inbound_messages (
        id uuid primary key,
        organization_id uuid
          constraint inbound_messages_organization_id_foreign references organizations on delete cascade,
        sender text not null,
        recipient text not null,
        text text not null,
        smsc_id text,
        provider_message_id text,
        -- A callback that the gateway repeats is stored once.
        deduplication_key bytea not null constraint inbound_messages_callback_unique unique,
        status text not null
          check (status in ('received', 'processing', 'processed', 'failed', 'unmatched')),
        matched text check (matched in ('keyword', 'stop', 'start')),
        keyword_id uuid
          constraint inbound_messages_keyword_id_foreign references inbound_keywords on delete set null,
        in_reply_to_message_id uuid,
        error_code text,
        error_message text,
        created_at timestamptz(3) not null,
        processed_at timestamptz(3),
        attempts smallint not null default 0,
        dispatch_id uuid,
        due_at timestamptz(3)
      );
      create index inbound_messages_list on inbound_messages (organization_id, id);
      create index inbound_messages_list_by_status on inbound_messages (organization_id, status, id);
      -- Administrators list what belongs to nobody.
      create index inbound_messages_unrouted on inbound_messages (id) where organization_id is null;
      -- A dispatch claims messages and asks for what is due.
      create index inbound_messages_unclaimed on inbound_messages (id)
        where dispatch_id is null and status = 'received';
      create index inbound_messages_dispatch on inbound_messages (dispatch_id, due_at);
      -- A rule that is deleted finds the messages that it replied to.
      create index inbound_messages_keyword on inbound_messages (keyword_id) where keyword_id is not null;
      ${expectFewOrganizations('inbound_messages')}
      ${knowMoreOrganizations('inbound_messages')}
      ${behindWall('inbound_messages', 'select, update')}
    `);
  }
}
