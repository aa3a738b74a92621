import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { notAnalysedWhileTiny } from './table-statistics.ts';

/** Deliveries of events to webhooks, and each attempt: docs/decisions/events-in-order-by-chained-deliveries.md. */
export class Migration20261121000008_webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_deliveries (
        id uuid primary key,
        organization_id uuid not null
          constraint webhook_deliveries_organization_id_foreign references organizations on delete cascade,
        environment text not null check (environment in ('live', 'test')),
        message_id uuid not null
          constraint webhook_deliveries_message_id_foreign references messages on delete cascade,
        event text not null check (event in (
          'message.accepted', 'message.sent', 'message.delivered', 'message.failed', 'message.received'
        )),
        position smallint not null,
        url text not null,
        body text not null,
        status text not null check (status in ('pending', 'delivered', 'retrying', 'dead')),
        attempts smallint not null default 0,
        attempts_before smallint not null default 0,
        created_at timestamptz(3) not null,
        delivered_at timestamptz(3),
        dispatch_id uuid,
        due_at timestamptz(3),
        inbound_message_id uuid,
        constraint webhook_deliveries_event_unique unique (message_id, position)
      ) with (${notAnalysedWhileTiny}
      );
      -- A message from a phone is reported once.
      create unique index webhook_deliveries_inbound_unique on webhook_deliveries (inbound_message_id)
        where inbound_message_id is not null;

      create index webhook_deliveries_list on webhook_deliveries (organization_id, environment, status, id);
      create index webhook_deliveries_dead on webhook_deliveries (id) where status = 'dead';

      -- A dispatch claims deliveries and asks for what is due.
      create index webhook_deliveries_unclaimed on webhook_deliveries (id)
        where dispatch_id is null and status = 'pending';
      create index webhook_deliveries_open on webhook_deliveries (dispatch_id, due_at)
        where status in ('pending', 'retrying');

      -- Redrives read what is dead, page by page.
      create index webhook_deliveries_dead_in_time on webhook_deliveries (created_at, id) where status = 'dead';
      create index webhook_deliveries_dead_of_organization on webhook_deliveries (organization_id, created_at, id)
        where status = 'dead';
      ${behindWall('webhook_deliveries', 'select, insert, update')}
    `);
    this.addSql(`
      create table webhook_attempts (
        delivery_id uuid not null
          constraint webhook_attempts_delivery_id_foreign references webhook_deliveries on delete cascade,
        organization_id uuid not null,
        number smallint not null,
        started_at timestamptz(3) not null,
        duration_ms int,
        response_status smallint,
        response_body text,
        error text,
        primary key (delivery_id, number)
      );
      ${behindWall('webhook_attempts', 'select, insert')}
    `);
  }
}
