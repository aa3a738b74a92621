import { Migration } from '@mikro-orm/migrations';

/** Authenticator apps with recovery codes, and the devices from which people have signed in. */
export class Migration20261123000020_second_factor extends Migration {
  override up(): void {
    this.addSql(`
      create table two_factors (
        user_id uuid primary key
          constraint two_factors_user_id_foreign references users on update cascade on delete cascade,
        sealed_secret bytea not null,
        confirmed_at timestamptz(3),
        last_used_step integer,
        created_at timestamptz(3) not null
      );

      create table recovery_codes (
        id uuid primary key,
        user_id uuid not null
          constraint recovery_codes_user_id_foreign references users on delete cascade,
        code_hash bytea not null
      );
      create index recovery_codes_user_id_idx on recovery_codes (user_id);

      create table known_devices (
        id uuid primary key,
        user_id uuid not null
          constraint known_devices_user_id_foreign references users on delete cascade,
        fingerprint bytea not null,
        expires_at timestamptz(3) not null,
        constraint known_devices_unique unique (user_id, fingerprint)
      );
      -- The clean-up finds what has expired.
      create index known_devices_expires_at_idx on known_devices (expires_at);
    `);
  }
}
