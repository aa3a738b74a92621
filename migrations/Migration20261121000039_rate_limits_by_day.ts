import { Migration } from '@mikro-orm/migrations';

/**
 * Limits whose window is a day beside those of a minute. A process of the version before removes rows of a day as if
 * they were of a minute: while it runs, such a limit may begin anew.
 */
export class Migration20261121000039_rate_limits_by_day extends Migration {
  override up(): void {
    this.addSql('alter table rate_limit_counters add column window_seconds int not null default 60;');
  }
}
