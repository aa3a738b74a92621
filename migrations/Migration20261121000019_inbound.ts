import { Migration } from '@mikro-orm/migrations';

/** Messages from phones, the rules that answer them, and what they leave on replies, opt-outs and webhooks. */
export class Migration20261121000019_inbound extends Migration {
  override up(): void {
    this.addSql(`
      create table inbound_keywords (
        id uuid not null,
        organization_id uuid not null,
        keyword text not null,
        folded_keyword text not null,
        match_type text not null,
        response text not null,
        sender text null,
        enabled boolean not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      alter table inbound_keywords add constraint inbound_keywords_rule_unique unique (organization_id, match_type, folded_keyword);
      create index inbound_keywords_list on inbound_keywords (organization_id, id);
      alter table inbound_keywords add constraint inbound_keywords_match_type_check check (match_type in ('exact', 'starts_with', 'contains'));
      alter table inbound_keywords add constraint inbound_keywords_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;

      create table inbound_messages (
        id uuid not null,
        organization_id uuid null,
        sender text not null,
        recipient text not null,
        text text not null,
        smsc_id text null,
        provider_message_id text null,
        deduplication_key bytea not null,
        status text not null,
        matched text null,
        keyword_id uuid null,
        in_reply_to_message_id uuid null,
        error_code text null,
        error_message text null,
        created_at timestamptz(3) not null,
        processed_at timestamptz(3) null,
        attempts smallint not null default 0,
        dispatch_id uuid null,
        due_at timestamptz(3) null,
        primary key (id)
      );
      alter table inbound_messages add constraint inbound_messages_callback_unique unique (deduplication_key);
      create index inbound_messages_list on inbound_messages (organization_id, id);
      create index inbound_messages_list_by_status on inbound_messages (organization_id, status, id);
      create index inbound_messages_unrouted on inbound_messages (id) where organization_id is null;
      create index inbound_messages_unclaimed on inbound_messages (id) where dispatch_id is null and status = 'received';
      create index inbound_messages_dispatch on inbound_messages (dispatch_id, due_at);
      create index inbound_messages_keyword on inbound_messages (keyword_id) where keyword_id is not null;
      alter table inbound_messages add constraint inbound_messages_status_check check (status in ('received', 'processing', 'processed', 'failed', 'unmatched'));
      alter table inbound_messages add constraint inbound_messages_matched_check check (matched in ('keyword', 'stop', 'start'));
      alter table inbound_messages add constraint inbound_messages_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table inbound_messages add constraint inbound_messages_keyword_id_foreign foreign key (keyword_id) references inbound_keywords (id) on delete set null;
    `);
    // As in Migration20261121000011: else the planner takes the policy for a condition that leaves hardly any row.
    this.addSql(`
      alter table inbound_messages alter column organization_id set (n_distinct = 5);
      alter table inbound_messages alter column organization_id set statistics 1000;
    `);
    const rights = {
      inbound_keywords: 'select, insert, update, delete',
      inbound_messages: 'select, update',
    };
    for (const [table, grants] of Object.entries(rights)) {
      this.addSql(`
        grant ${grants} on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
      `);
    }
    this.addSql(`
      alter table messages add column answers_inbound_id uuid null;
      create unique index messages_answer_unique on messages (answers_inbound_id) where answers_inbound_id is not null;

      alter table suppressions add column source text not null default 'operator';
      alter table suppressions add column inbound_message_id uuid null;
      alter table suppressions add constraint suppressions_source_check check (source in ('operator', 'recipient'));

      alter table webhook_deliveries add column inbound_message_id uuid null;
      create unique index webhook_deliveries_inbound_unique on webhook_deliveries (inbound_message_id) where inbound_message_id is not null;
      alter table webhook_deliveries drop constraint webhook_deliveries_event_check;
      alter table webhook_deliveries add constraint webhook_deliveries_event_check check (event in ('message.accepted', 'message.sent', 'message.delivered', 'message.failed', 'message.received'));

      alter table dispatches drop constraint dispatches_kind_check;
      alter table dispatches add constraint dispatches_kind_check check (kind in ('messages', 'webhooks', 'security-codes', 'inbound'));

      create index sender_ids_approved_numbers on sender_ids (value) where status = 'approved' and value ~ '^[+]?[0-9]+$';
    `);
  }
}

/** As in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
