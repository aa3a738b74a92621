import { Migration } from '@mikro-orm/migrations';

/**
 * The counters of the rate limits, which all API processes share: docs/decisions/rate-limits-in-one-unlogged-table.md.
 * Counting is no work for an organization, so the tenants' role has no grant.
 */
export class Migration20261121000003_rate_limits extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table rate_limit_counters (
        subject text primary key,
        window_start timestamptz(3) not null,
        window_seconds int not null,
        used int not null
      );
    `);
  }
}
