import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Campaigns: the purpose of bulk batches, and their sender. */
export class Migration20261121000016_campaigns extends Migration {
  override up(): void {
    this.addSql(`
      create table campaigns (
        id uuid primary key,
        organization_id uuid not null
          constraint campaigns_organization_id_foreign references organizations on delete cascade,
        name text not null,
        description text,
        sender text,
        status text not null check (status in ('active', 'paused', 'archived')),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index campaigns_list on campaigns (organization_id, id);
      ${behindWall('campaigns', 'select, insert, update, delete')}
    `);
  }
}
