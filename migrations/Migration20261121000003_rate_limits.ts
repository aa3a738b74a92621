import { Migration } from '@mikro-orm/migrations';

/** The counters of the rate limits, which all API processes share. */
export class Migration20261121000003_rate_limits extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table rate_limit_counters (
        subject text not null,
        window_start timestamptz(3) not null,
        used int not null,
        primary key (subject)
      );
    `);
  }
}
