import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Organizations, people, their sessions and ways in, and their part in organizations: the tables of better-auth. */
export class Migration20261121000001_accounts extends Migration {
  override up(): void {
    this.addSql(`
      create table organizations (
        id uuid primary key,
        name text not null,
        slug text not null constraint organizations_slug_unique unique,
        logo text,
        metadata text,
        created_at timestamptz(3) not null
      );
      ${behindWall('organizations', 'select', 'id')}
    `);
    this.addSql(`
      create table users (
        id uuid primary key,
        name text not null,
        email text not null constraint users_email_unique unique,
        email_verified boolean not null default false,
        image text,
        role text not null default 'user' check (role in ('user', 'admin')),
        banned boolean not null default false,
        ban_reason text,
        ban_expires timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );

      create table sessions (
        id uuid primary key,
        user_id uuid not null
          constraint sessions_user_id_foreign references users on delete cascade,
        token text not null constraint sessions_token_unique unique,
        expires_at timestamptz(3) not null,
        ip_address text,
        user_agent text,
        active_organization_id uuid
          constraint sessions_active_organization_id_foreign references organizations on delete set null,
        impersonated_by uuid,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index sessions_user_id_idx on sessions (user_id);
      -- The clean-up finds what has expired.
      create index sessions_expires_at_idx on sessions (expires_at);
      -- The trigger below finds the sessions of an administrator.
      create index sessions_impersonated_by_idx on sessions (impersonated_by) where impersonated_by is not null;

      create table accounts (
        id uuid primary key,
        user_id uuid not null
          constraint accounts_user_id_foreign references users on delete cascade,
        provider_id text not null,
        account_id text not null,
        access_token text,
        refresh_token text,
        id_token text,
        access_token_expires_at timestamptz(3),
        refresh_token_expires_at timestamptz(3),
        scope text,
        password text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint accounts_provider_unique unique (provider_id, account_id)
      );
      create index accounts_user_id_idx on accounts (user_id);

      create table verifications (
        id uuid primary key,
        identifier text not null,
        value text not null,
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index verifications_identifier_idx on verifications (identifier);
      -- A password that is set ends the links of its user, who is their value: src/auth/mails/end-reset-links.ts.
      create index verifications_value_idx on verifications (value);
      -- The clean-up finds what has expired.
      create index verifications_expires_at_idx on verifications (expires_at);
    `);
    this.addSql(`
      create table members (
        id uuid primary key,
        organization_id uuid not null
          constraint members_organization_id_foreign references organizations on delete cascade,
        user_id uuid not null
          constraint members_user_id_foreign references users on delete cascade,
        role text not null default 'member' check (role in ('owner', 'admin', 'member')),
        created_at timestamptz(3) not null,
        constraint members_user_unique unique (organization_id, user_id)
      );
      create index members_organization_id_idx on members (organization_id);
      create index members_user_id_idx on members (user_id);
      ${behindWall('members', 'select')}

      create table invitations (
        id uuid primary key,
        organization_id uuid not null
          constraint invitations_organization_id_foreign references organizations on delete cascade,
        email text not null,
        role text not null check (role in ('owner', 'admin', 'member')),
        status text not null default 'pending'
          check (status in ('pending', 'accepted', 'rejected', 'canceled', 'expired')),
        expires_at timestamptz(3) not null,
        inviter_id uuid not null
          constraint invitations_inviter_id_foreign references users on delete cascade,
        created_at timestamptz(3) not null
      );
      create unique index invitations_open_unique on invitations (organization_id, lower(email))
        where status = 'pending';
      create index invitations_organization_id_idx on invitations (organization_id);
      create index invitations_email_idx on invitations (email);
      ${behindWall('invitations', 'select')}
    `);
    // Why: src/auth/user.entity.ts and src/organizations/member.entity.ts, which a test compares with these.
    this.addSql(`
create function users_keep_an_administrator_fn() returns trigger language plpgsql as $$ begin
if old.role <> 'admin' or (old.banned and (old.ban_expires is null or old.ban_expires > now())) then return null; end if;
if tg_op = 'UPDATE' and new.role = 'admin' and not (new.banned and (new.ban_expires is null or new.ban_expires > now())) then return null; end if;
perform pg_advisory_xact_lock(hashtextextended('users_keep_an_administrator', 0));
if not exists (select from users where role = 'admin' and not (banned and (ban_expires is null or ban_expires > now()))) then
  raise exception using errcode = 'check_violation', constraint = 'users_keep_an_administrator',
    message = 'the service would be left without an administrator';
end if;
return null;
end; $$;
create trigger keep_an_administrator after update or delete on users
  for each row execute function users_keep_an_administrator_fn();

create function users_end_impersonations_fn() returns trigger language plpgsql as $$ begin
if tg_op = 'DELETE' or new.banned or new.role <> 'admin' then delete from sessions where impersonated_by = old.id; end if;
return null;
end; $$;
create trigger end_impersonations after update or delete on users
  for each row execute function users_end_impersonations_fn();

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
