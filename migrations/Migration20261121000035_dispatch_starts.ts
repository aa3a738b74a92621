import { Migration } from '@mikro-orm/migrations';

/**
 * What a dispatch knows of its workflow: on which lane it acts, and since when there is one.
 *
 * Rows without `started_at` are written by processes of an older version, which name it nowhere: they count as
 * started. The chunks of bulk batches that are open had no workflow while all went well; the sweep now starts one.
 */
export class Migration20261121000035_dispatch_starts extends Migration {
  override up(): void {
    this.addSql(`
      alter table dispatches
        add column is_bulk boolean not null default false,
        add column started_at timestamptz(3) null default now();

      update dispatches set is_bulk = true, started_at = null, wake_at = least(wake_at, now())
      where kind = 'messages' and settled_at is null
        and exists (select from messages where messages.id = dispatches.id and bulk_batch_id is not null);
    `);
  }
}
