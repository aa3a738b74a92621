import { Migration } from '@mikro-orm/migrations';

/** Contacts, their imports from CSV files, and phonebooks: docs/decisions/contacts.md. */
export class Migration20261121000013_contacts extends Migration {
  override up(): void {
    this.addSql(`
      create table contacts (
        id uuid not null primary key,
        organization_id uuid not null,
        phone_number text not null,
        first_name text null,
        last_name text null,
        email text null,
        company text null,
        tags text[] not null,
        custom_fields jsonb not null,
        search_text text not null,
        phone_verified_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint contacts_organization_id_foreign foreign key (organization_id)
          references organizations (id) on delete cascade,
        constraint contacts_phone_number_unique unique (organization_id, phone_number)
      );
      create index contacts_list on contacts (organization_id, id);
    `);
    this.addSql(`
      create table contact_imports (
        id uuid not null primary key,
        organization_id uuid not null,
        status text not null,
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
        wake_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        completed_at timestamptz(3) null,
        constraint contact_imports_organization_id_foreign foreign key (organization_id)
          references organizations (id) on delete cascade,
        constraint contact_imports_status_check check (status in ('processing', 'completed'))
      );
      create index contact_imports_of_organization on contact_imports (organization_id);
      create index contact_imports_open on contact_imports (wake_at) where status = 'processing';
      create table contact_import_chunks (
        import_id uuid not null,
        position int not null,
        organization_id uuid not null,
        bytes bytea not null,
        primary key (import_id, position),
        constraint contact_import_chunks_import_id_foreign foreign key (import_id)
          references contact_imports (id) on delete cascade
      );
      create table contact_import_numbers (
        import_id uuid not null,
        phone_number text not null,
        organization_id uuid not null,
        line int not null,
        primary key (import_id, phone_number)
      );
      create table contact_import_rejects (
        import_id uuid not null,
        line int not null,
        organization_id uuid not null,
        "column" text null,
        code text not null,
        message text not null,
        cells text[] not null,
        primary key (import_id, line),
        constraint contact_import_rejects_import_id_foreign foreign key (import_id)
          references contact_imports (id) on delete cascade
      );
    `);
    this.addSql(`
      create table phonebooks (
        id uuid not null primary key,
        organization_id uuid not null,
        name text not null,
        description text null,
        member_count int not null default 0,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint phonebooks_organization_id_foreign foreign key (organization_id)
          references organizations (id) on delete cascade
      );
      create index phonebooks_list on phonebooks (organization_id, id);
      create table phonebook_members (
        phonebook_id uuid not null,
        contact_id uuid not null,
        organization_id uuid not null,
        primary key (phonebook_id, contact_id),
        constraint phonebook_members_phonebook_id_foreign foreign key (phonebook_id)
          references phonebooks (id) on update cascade on delete cascade,
        constraint phonebook_members_contact_id_foreign foreign key (contact_id)
          references contacts (id) on update cascade on delete cascade
      );
      create index phonebook_members_of_contact on phonebook_members (contact_id, phonebook_id);
    `);
    for (const [table, grants] of Object.entries(tables)) {
      this.addSql(`
        grant ${grants} on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
      `);
    }
    // Why: Migration20261121000011_message_lists.ts.
    for (const table of ['contacts', 'phonebook_members']) {
      this.addSql(`
        alter table ${table} alter column organization_id set (n_distinct = 5);
        alter table ${table} alter column organization_id set statistics 1000;
      `);
    }
  }
}

const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;

const tables = {
  contacts: 'select, insert, update, delete',
  contact_imports: 'select, insert, update',
  contact_import_chunks: 'select, insert, delete',
  contact_import_numbers: 'select, insert, delete',
  contact_import_rejects: 'select, insert',
  phonebooks: 'select, insert, update, delete',
  phonebook_members: 'select, insert, delete',
};
