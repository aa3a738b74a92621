import { Migration } from '@mikro-orm/migrations';

/** People, their sessions and ways in, and their part in organizations: the tables that better-auth writes. */
export class Migration20261121000001_accounts extends Migration {
  override up(): void {
    this.addSql(`
      create table users (
        id uuid not null,
        name text not null,
        email text not null,
        email_verified boolean not null default false,
        image text null,
        role text not null default 'user',
        banned boolean not null default false,
        ban_reason text null,
        ban_expires timestamptz(3) null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      alter table users add constraint users_email_unique unique (email);
      alter table users add constraint users_role_check check (role in ('user', 'admin'));

      create table sessions (
        id uuid not null,
        user_id uuid not null,
        token text not null,
        expires_at timestamptz(3) not null,
        ip_address text null,
        user_agent text null,
        active_organization_id uuid null,
        impersonated_by uuid null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      alter table sessions add constraint sessions_token_unique unique (token);
      create index sessions_user_id_idx on sessions (user_id);

      create table accounts (
        id uuid not null,
        user_id uuid not null,
        provider_id text not null,
        account_id text not null,
        access_token text null,
        refresh_token text null,
        id_token text null,
        access_token_expires_at timestamptz(3) null,
        refresh_token_expires_at timestamptz(3) null,
        scope text null,
        password text null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      alter table accounts add constraint accounts_provider_unique unique (provider_id, account_id);
      create index accounts_user_id_idx on accounts (user_id);

      create table verifications (
        id uuid not null,
        identifier text not null,
        value text not null,
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (id)
      );
      create index verifications_identifier_idx on verifications (identifier);

      create table members (
        id uuid not null,
        organization_id uuid not null,
        user_id uuid not null,
        role text not null default 'member',
        created_at timestamptz(3) not null,
        primary key (id)
      );
      alter table members add constraint members_user_unique unique (organization_id, user_id);
      create index members_organization_id_idx on members (organization_id);
      create index members_user_id_idx on members (user_id);
      alter table members add constraint members_role_check check (role in ('owner', 'admin', 'member'));

      create table invitations (
        id uuid not null,
        organization_id uuid not null,
        email text not null,
        role text not null,
        status text not null default 'pending',
        expires_at timestamptz(3) not null,
        inviter_id uuid not null,
        created_at timestamptz(3) not null,
        primary key (id)
      );
      create index invitations_organization_id_idx on invitations (organization_id);
      create index invitations_email_idx on invitations (email);
      alter table invitations add constraint invitations_role_check check (role in ('owner', 'admin', 'member'));
      alter table invitations add constraint invitations_status_check check (status in ('pending', 'accepted', 'rejected', 'canceled'));

      alter table sessions add constraint sessions_user_id_foreign foreign key (user_id) references users (id) on delete cascade;
      alter table sessions add constraint sessions_active_organization_id_foreign foreign key (active_organization_id) references organizations (id) on delete set null;

      alter table accounts add constraint accounts_user_id_foreign foreign key (user_id) references users (id) on delete cascade;

      alter table members add constraint members_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table members add constraint members_user_id_foreign foreign key (user_id) references users (id) on delete cascade;

      alter table invitations add constraint invitations_organization_id_foreign foreign key (organization_id) references organizations (id) on delete cascade;
      alter table invitations add constraint invitations_inviter_id_foreign foreign key (inviter_id) references users (id) on delete cascade;
    `);
    // Why: src/organizations/member.entity.ts.
    this.addSql(`
create function members_keep_an_owner_fn() returns trigger language plpgsql as $$ begin
if old.role <> 'owner' or (tg_op = 'UPDATE' and new.role = 'owner') then return null; end if;
perform from organizations where id = old.organization_id for update;
if found and not exists (select from members where organization_id = old.organization_id and role = 'owner') then
  raise exception using errcode = 'check_violation', constraint = 'members_keep_an_owner',
    message = 'the organization would be left without an owner';
end if;
return null;
end; $$;
create trigger keep_an_owner after update or delete on members
  for each row execute function members_keep_an_owner_fn();
    `);
  }
}
