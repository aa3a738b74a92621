import { Migration } from '@mikro-orm/migrations';

/** Erasures of what belongs to no organization, and pages of parts of a batch: docs/decisions/privacy.md. */
export class Migration20261123000050_platform_erasures extends Migration {
  override up(): void {
    this.addSql(`
      alter table erasures alter column organization_id drop not null;
      -- Null organizations are different for the unique index of the others.
      create unique index erasures_of_platform_open_unique on erasures (number_hash)
        where organization_id is null and completed_at is null;
      -- A place in a batch is the id of the batch and a position. The table has a row for each organization at most.
      alter table retention_rules alter column cursor type text;
    `);
  }
}
