import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Security codes: docs/decisions/security-codes.md. */
export class Migration20261121000010_security_codes extends Migration {
  override up(): void {
    this.addSql(`
      create table security_codes (
        id uuid primary key,
        organization_id uuid not null
          constraint security_codes_organization_id_foreign references organizations on delete cascade,
        environment text not null check (environment in ('live', 'test')),
        purpose text not null,
        recipient text not null,
        code_hash bytea not null,
        status text not null
          check (status in ('pending', 'verified', 'max_attempts_reached', 'expired', 'superseded')),
        attempts smallint not null default 0,
        max_attempts smallint not null,
        message_id uuid not null
          constraint security_codes_message_id_foreign references messages on delete cascade,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        verified_at timestamptz(3),
        dispatch_id uuid,
        due_at timestamptz(3)
      );
      -- A new code replaces the one that is pending.
      create unique index security_codes_pending_unique
        on security_codes (organization_id, environment, recipient, purpose) where status = 'pending';
      create index security_codes_recent on security_codes (organization_id, environment, recipient, created_at);
      create index security_codes_message on security_codes (message_id);
      -- A dispatch claims codes and asks for what is due.
      create index security_codes_unclaimed on security_codes (id) where dispatch_id is null and status = 'pending';
      create index security_codes_dispatch on security_codes (dispatch_id, due_at);
      ${behindWall('security_codes', 'select, insert, update')}
    `);
  }
}
