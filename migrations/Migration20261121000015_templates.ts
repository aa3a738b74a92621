import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/**
 * Templates of texts: a personal one has an owner and goes with them. Of the members only its maker may take a
 * template of the team for themselves.
 */
export class Migration20261121000015_templates extends Migration {
  override up(): void {
    this.addSql(`
      create table templates (
        id uuid primary key,
        organization_id uuid not null
          constraint templates_organization_id_foreign references organizations on delete cascade,
        owner_id uuid
          constraint templates_owner_id_foreign references users on delete cascade,
        maker_id uuid
          constraint templates_maker_id_foreign references users on delete set null,
        name text not null,
        content text not null,
        category text not null
          check (category in ('general', 'marketing', 'notification', 'otp', 'reminder')),
        scope text not null check (scope in ('team', 'personal')),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint templates_owner_check check ((scope = 'personal') = (owner_id is not null))
      );
      create index templates_list on templates (organization_id, id);
      create unique index templates_team_name_unique on templates (organization_id, lower(name))
        where scope = 'team';
      create unique index templates_personal_name_unique on templates (organization_id, owner_id, lower(name))
        where scope = 'personal';
      ${behindWall('templates', 'select, insert, update, delete')}
    `);
  }
}
