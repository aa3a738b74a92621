import { Migration } from '@mikro-orm/migrations';

/** Organizations, keys, senders, messages with their timeline, webhooks, and the dispatches that carry them. */
export class Migration20261121000000_messages extends Migration {
  override up(): void {
    this.addSql(`
      create table dispatches (
        id uuid not null,
        kind text not null,
        organization_ids uuid[] not null,
        created_at timestamptz(3) not null,
        wake_at timestamptz(3) not null,
        settled_at timestamptz(3) null,
        primary key (id, kind)
      );
      create index dispatches_overdue on dispatches (wake_at) where settled_at is null;
      alter table dispatches add constraint dispatches_kind_check check (kind in ('messages', 'webhooks'));

      create table organizations (
        id uuid not null,
        name text not null,
        slug text not null,
        logo text null,
        metadata text null,
        created_at timestamptz(3) not null,
        primary key (id)
      );
      alter table organizations add constraint organizations_slug_unique unique (slug);

      create table messages (
        id uuid not null,
        organization_id uuid not null,
        environment text not null,
        sender text not null,
        recipient text not null,
        text text not null,
        encoding text not null,
        segments smallint not null,
        status text not null,
        provider_message_id text null,
        error_code text null,
        error_message text null,
        metadata json not null,
        webhook_url text null,
        webhook_secret text null,
        created_at timestamptz(3) not null,
        accepted_at timestamptz(3) null,
        sent_at timestamptz(3) null,
        delivered_at timestamptz(3) null,
        failed_at timestamptz(3) null,
        valid_until timestamptz(3) not null,
        dispatch_id uuid null,
        due_at timestamptz(3) null,
        attempts smallint not null default 0,
        outcome_unknown boolean not null default false,
        primary key (id)
      );
      create index messages_list on messages (organization_id, environment, id);
      create index messages_unclaimed on messages (id) where dispatch_id is null and status = 'queued';
      create index messages_open on messages (dispatch_id, due_at) where status in ('queued', 'accepted', 'sent');
      alter table messages add constraint messages_environment_check check (environment in ('live', 'test'));
      alter table messages add constraint messages_encoding_check check (encoding in ('gsm7', 'ucs2'));
      alter table messages add constraint messages_status_check check (status in ('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'));

      create table message_events (
        id bigserial primary key,
        message_id uuid not null,
        at timestamptz(3) not null,
        kind text not null,
        status text null,
        details jsonb not null
      );
      create index message_events_timeline on message_events (message_id, id);
      alter table message_events add constraint message_events_kind_check check (kind in ('queued', 'submission_attempted', 'submission_answered', 'submission_doubtful', 'report_received', 'expired'));
      alter table message_events add constraint message_events_status_check check (status in ('queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'));

      create table api_keys (
        id uuid not null,
        organization_id uuid not null,
        name text not null,
        environment text not null,
        public_id text not null,
        secret_hash bytea not null,
        permissions text[] not null,
        metadata jsonb null,
        expires_at timestamptz(3) null,
        revoked_at timestamptz(3) null,
        last_used_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        primary key (id)
      );
      alter table api_keys add constraint api_keys_public_id_unique unique (public_id);
      create index api_keys_organization on api_keys (organization_id, id);
      alter table api_keys add constraint api_keys_environment_check check (environment in ('live', 'test'));

      create table sender_ids (
        id uuid not null,
        organization_id uuid not null,
        value text not null,
        status text not null,
        is_default boolean not null default false,
        use_case text not null,
        sample_message text not null,
        website text null,
        review_reason text null,
        reviewed_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        primary key (id)
      );
      alter table sender_ids add constraint sender_ids_value_unique unique (organization_id, value);
      create unique index sender_ids_default_unique on sender_ids (organization_id) where is_default;
      alter table sender_ids add constraint sender_ids_status_check check (status in ('pending', 'approved', 'rejected'));

      create table webhook_deliveries (
        id uuid not null,
        organization_id uuid not null,
        environment text not null,
        message_id uuid not null,
        event text not null,
        position smallint not null,
        url text not null,
        body text not null,
        status text not null,
        attempts smallint not null default 0,
        created_at timestamptz(3) not null,
        delivered_at timestamptz(3) null,
        dispatch_id uuid null,
        due_at timestamptz(3) null,
        primary key (id)
      );
      create index webhook_deliveries_list on webhook_deliveries (organization_id, environment, id);
      create index webhook_deliveries_unclaimed on webhook_deliveries (id) where dispatch_id is null and status = 'pending';
      create index webhook_deliveries_open on webhook_deliveries (dispatch_id, due_at) where status in ('pending', 'retrying');
      alter table webhook_deliveries add constraint webhook_deliveries_event_unique unique (message_id, position);
      alter table webhook_deliveries add constraint webhook_deliveries_environment_check check (environment in ('live', 'test'));
      alter table webhook_deliveries add constraint webhook_deliveries_event_check check (event in ('message.accepted', 'message.sent', 'message.delivered', 'message.failed'));
      alter table webhook_deliveries add constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'retrying', 'dead'));

      create table webhook_attempts (
        delivery_id uuid not null,
        number smallint not null,
        started_at timestamptz(3) not null,
        duration_ms int null,
        response_status smallint null,
        response_body text null,
        error text null,
        primary key (delivery_id, number)
      );

      alter table messages add constraint messages_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;

      alter table message_events add constraint message_events_message_id_foreign foreign key (message_id) references messages (id) on delete cascade;

      alter table api_keys add constraint api_keys_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;

      alter table sender_ids add constraint sender_ids_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;

      alter table webhook_deliveries add constraint webhook_deliveries_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table webhook_deliveries add constraint webhook_deliveries_message_id_foreign foreign key (message_id) references messages (id) on delete cascade;

      alter table webhook_attempts add constraint webhook_attempts_delivery_id_foreign foreign key (delivery_id) references webhook_deliveries (id) on delete cascade;
    `);
  }
}
