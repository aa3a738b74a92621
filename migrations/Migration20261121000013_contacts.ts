import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { expectFewOrganizations, knowMoreOrganizations, notAnalysedWhileTiny } from './table-statistics.ts';

/** Contacts, and their imports from CSV files: docs/decisions/contacts.md. */
export class Migration20261121000013_contacts extends Migration {
  override up(): void {
    this.addSql(`
      create table contacts (
        id uuid primary key,
        organization_id uuid not null
          constraint contacts_organization_id_foreign references organizations on delete cascade,
        phone_number text not null,
        first_name text,
        last_name text,
        email text,
        company text,
        tags text[] not null,
        custom_fields jsonb not null,
        search_text text not null,
        phone_verified_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint contacts_phone_number_unique unique (organization_id, phone_number)
      ) with (
        -- After an import statistics are to be made soon: with old ones a search reads and sorts all contacts of the
        -- organization by the index of their numbers, for 80 ms in place of 0.1 ms among 100,000.
        autovacuum_analyze_scale_factor = 0.01,
        ${notAnalysedWhileTiny}
      );
      create index contacts_list on contacts (organization_id, id);
      ${expectFewOrganizations('contacts')}
      ${knowMoreOrganizations('contacts')}
      ${behindWall('contacts', 'select, insert, update, delete')}
    `);
    this.addSql(`
      create table contact_imports (
        id uuid primary key,
        organization_id uuid not null
          constraint contact_imports_organization_id_foreign references organizations on delete cascade,
        status text not null check (status in ('processing', 'completed', 'failed')),
        size_bytes int not null,
        delimiter text not null,
        columns text[] not null,
        next_byte int not null,
        next_line int not null,
        broken_rows int not null default 0,
        imported int not null default 0,
        updated int not null default 0,
        skipped int not null default 0,
        rejected int not null default 0,
        rejects_removed boolean not null default false,
        wake_at timestamptz(3),
        created_at timestamptz(3) not null,
        completed_at timestamptz(3)
      );
      create index contact_imports_of_organization on contact_imports (organization_id);
      create index contact_imports_open on contact_imports (wake_at) where status = 'processing';
      -- The clean-up finds the imports whose rejects are there still: src/contacts/import/rejects-expiry.ts.
      create index contact_imports_with_rejects on contact_imports (completed_at) where not rejects_removed;
      ${behindWall('contact_imports', 'select, insert, update')}

      create table contact_import_chunks (
        import_id uuid not null
          constraint contact_import_chunks_import_id_foreign references contact_imports on delete cascade,
        position int not null,
        organization_id uuid not null,
        bytes bytea not null,
        primary key (import_id, position)
      );
      ${behindWall('contact_import_chunks', 'select, insert, delete')}

      -- No foreign key: there is a row for each row of each file.
      create table contact_import_numbers (
        import_id uuid not null,
        phone_number text not null,
        organization_id uuid not null,
        line int not null,
        primary key (import_id, phone_number)
      );
      ${behindWall('contact_import_numbers', 'select, insert, delete')}

      create table contact_import_rejects (
        import_id uuid not null
          constraint contact_import_rejects_import_id_foreign references contact_imports on delete cascade,
        line int not null,
        organization_id uuid not null,
        "column" text,
        code text not null,
        message text not null,
        cells text[] not null,
        primary key (import_id, line)
      );
      ${behindWall('contact_import_rejects', 'select, insert')}
    `);
  }
}
