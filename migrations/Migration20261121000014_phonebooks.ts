import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { expectFewOrganizations, knowMoreOrganizations } from './table-statistics.ts';

/** Phonebooks and the contacts in them. */
export class Migration20261121000014_phonebooks extends Migration {
  override up(): void {
    this.addSql(`
      create table phonebooks (
        id uuid primary key,
        organization_id uuid not null
          constraint phonebooks_organization_id_foreign references organizations on delete cascade,
        name text not null,
        description text,
        member_count int not null default 0,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index phonebooks_list on phonebooks (organization_id, id);
      ${behindWall('phonebooks', 'select, insert, update, delete')}

      create table phonebook_members (
        phonebook_id uuid not null
          constraint phonebook_members_phonebook_id_foreign
          references phonebooks on update cascade on delete cascade,
        contact_id uuid not null
          constraint phonebook_members_contact_id_foreign
          references contacts on update cascade on delete cascade,
        organization_id uuid not null,
        primary key (phonebook_id, contact_id)
      );
      create index phonebook_members_of_contact on phonebook_members (contact_id, phonebook_id);
      ${expectFewOrganizations('phonebook_members')}
      ${knowMoreOrganizations('phonebook_members')}
      ${behindWall('phonebook_members', 'select, insert, delete')}
    `);
  }
}
