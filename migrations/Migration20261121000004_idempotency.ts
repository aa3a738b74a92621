import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** The keys under which requests were answered, with their answers: docs/decisions/idempotency-keys.md. */
export class Migration20261121000004_idempotency extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_keys (
        organization_id uuid not null
          constraint idempotency_keys_organization_id_foreign references organizations on delete cascade,
        environment text not null check (environment in ('live', 'test')),
        route text not null,
        key text not null,
        digest bytea not null,
        status smallint not null,
        body text not null,
        created_at timestamptz(3) not null,
        primary key (organization_id, environment, route, key)
      );
      -- The clean-up finds what has expired.
      create index idempotency_keys_age on idempotency_keys (created_at);
      ${behindWall('idempotency_keys', 'select, insert, update')}
    `);
  }
}
