import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** How much organizations may send: docs/decisions/sending-caps.md. */
export class Migration20261123000040_sending_caps extends Migration {
  override up(): void {
    this.addSql(`
      alter table sending_controls
        add column messages_per_hour int,
        add column recipient_messages_per_hour int,
        add column recipient_messages_per_day int,
        add column prefix_caps jsonb,
        add column new_organization_days int,
        add column new_organization_messages_per_day int,
        add column new_organization_limit_lifted boolean not null default false;

      create table sending_counts (
        organization_id uuid not null
          constraint sending_counts_organization_id_foreign references organizations on delete cascade,
        scope text not null,
        window_start timestamptz(3) not null,
        window_end timestamptz(3) not null,
        used int not null,
        constraint sending_counts_pkey primary key (organization_id, scope, window_start)
      );
      create index sending_counts_ended on sending_counts (window_end);
      ${behindWall('sending_counts', 'select, insert, update')}

      -- Nullable and without a default: no row of the table is rewritten, and no message without caps grows by it.
      alter table messages add column cap_counted boolean;
    `);
  }
}
