import { Migration } from '@mikro-orm/migrations';

/**
 * A claim changes `due_at`, `attempts` and `outcome_unknown`. With none of them in an index, and with space left in the
 * page, PostgreSQL writes the new version of the row beside the old one and touches no index (a heap-only tuple). The
 * rows of a dispatch are few, so nothing is lost without the order of `due_at` in the index.
 */
export class Migration20261122000000_claims_within_the_page extends Migration {
  override up(): void {
    this.addSql(`
      drop index messages_open;
      create index messages_open on messages (dispatch_id) where status in ('queued', 'accepted', 'sent');
      alter table messages set (fillfactor = 75);

      drop index webhook_deliveries_open;
      create index webhook_deliveries_open on webhook_deliveries (dispatch_id) where status in ('pending', 'retrying');
      alter table webhook_deliveries set (fillfactor = 75);
    `);
  }
}
