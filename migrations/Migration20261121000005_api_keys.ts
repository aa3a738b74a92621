import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** The API keys of organizations. A key works with the personal templates of its maker. */
export class Migration20261121000005_api_keys extends Migration {
  override up(): void {
    this.addSql(`
      create table api_keys (
        id uuid primary key,
        organization_id uuid not null
          constraint api_keys_organization_id_foreign references organizations on delete cascade,
        maker_id uuid
          constraint api_keys_maker_id_foreign references users on delete set null,
        name text not null,
        environment text not null check (environment in ('live', 'test')),
        public_id text not null constraint api_keys_public_id_unique unique,
        secret_hash bytea not null,
        permissions text[] not null,
        metadata jsonb,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) not null
      );
      create index api_keys_organization on api_keys (organization_id, id);
      ${behindWall('api_keys', 'select, insert, update, delete')}
    `);
  }
}
