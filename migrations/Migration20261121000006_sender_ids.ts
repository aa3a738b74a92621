import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';

/** Sender IDs and their review: docs/decisions/one-owner-of-a-sender.md. */
export class Migration20261121000006_sender_ids extends Migration {
  override up(): void {
    this.addSql(`
      create table sender_ids (
        id uuid primary key,
        organization_id uuid not null
          constraint sender_ids_organization_id_foreign references organizations on delete cascade,
        value text not null,
        status text not null check (status in ('pending', 'approved', 'rejected')),
        is_default boolean not null default false,
        use_case text not null,
        sample_message text not null,
        website text,
        review_reason text,
        reviewed_at timestamptz(3),
        requested_by_kind text check (requested_by_kind in ('api_key', 'user')),
        requested_by_id uuid,
        created_at timestamptz(3) not null,
        -- Sending finds a sender as it was approved.
        constraint sender_ids_value_unique unique (organization_id, value)
      );
      -- An organization has one request for a value, whatever its case: of several one only could ever be approved.
      create unique index sender_ids_any_case_unique on sender_ids (organization_id, lower(value));
      create unique index sender_ids_default_unique on sender_ids (organization_id) where is_default;
      -- A value has one owner on the platform, but organizations share short codes.
      create unique index sender_ids_approved_unique on sender_ids (lower(value))
        where status = 'approved' and value !~ '^[0-9]{3,8}$';
      -- Administrators list what waits for its review.
      create index sender_ids_pending on sender_ids (id) where status = 'pending';
      -- A message from a phone finds the owners of the number that it was sent to.
      create index sender_ids_approved_numbers on sender_ids (value)
        where status = 'approved' and value ~ '^[+]?[0-9]+$';
      ${behindWall('sender_ids', 'select, insert, update, delete')}
    `);
  }
}
