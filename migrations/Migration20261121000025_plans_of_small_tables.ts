import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps tables that grow, and that foreign keys refer to, from being analysed while they are tiny.
 *
 * PostgreSQL checks a foreign key by a statement whose plan each connection keeps. Made when statistics say that the
 * table is a page or two, it reads the table whole, and goes on doing so while a hundred thousand rows are written,
 * until the next analysis throws it away: of 100,000 members of a phonebook each check read all contacts, which took
 * minutes. Of a table that was never analysed the planner assumes ten pages, and takes the index.
 */
export class Migration20261121000025_plans_of_small_tables extends Migration {
  override up(): void {
    for (const table of ['messages', 'contacts', 'webhook_deliveries']) {
      this.addSql(`
        alter table ${table} set (
          autovacuum_analyze_threshold = 2000,
          autovacuum_vacuum_threshold = 2000,
          autovacuum_vacuum_insert_threshold = 2000
        );
      `);
    }
  }
}
