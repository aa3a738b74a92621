import { Migration } from '@mikro-orm/migrations';

/**
 * The groups of rows that one workflow carries: docs/decisions/a-workflow-carries-a-dispatch.md. A dispatch has rows of
 * several organizations, so the tenants' role has no grant.
 */
export class Migration20261121000009_dispatches extends Migration {
  override up(): void {
    this.addSql(`
      create table dispatches (
        id uuid not null,
        kind text not null check (kind in ('messages', 'webhooks', 'security-codes', 'inbound')),
        organization_ids uuid[] not null,
        is_bulk boolean not null default false,
        created_at timestamptz(3) not null,
        wake_at timestamptz(3) not null,
        started_at timestamptz(3),
        settled_at timestamptz(3),
        primary key (id, kind)
      );
      create index dispatches_overdue on dispatches (wake_at) where settled_at is null;
    `);
  }
}
