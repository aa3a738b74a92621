import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Numbers that an organization does not send to: docs/decisions/suppressions.md. */
export class Migration20261121000017_suppressions extends Migration {
  override up(): void {
    this.addSql(`
      create table suppressions (
        id uuid primary key,
        organization_id uuid not null
          constraint suppressions_organization_id_foreign references organizations on delete cascade,
        phone_number text not null,
        reason text,
        source text not null default 'operator' check (source in ('operator', 'recipient')),
        inbound_message_id uuid,
        stopped_numbers text[] not null default '{}',
        created_at timestamptz(3) not null,
        -- An operator's entry and a recipient's STOP have a row each, so that neither is lost by the other.
        constraint suppressions_number_unique unique (organization_id, phone_number, source)
      );
      create index suppressions_list on suppressions (organization_id, id);
      ${behindWall('suppressions', 'select, insert, update, delete')}
    `);
  }
}
