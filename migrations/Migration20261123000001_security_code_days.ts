import { Migration } from '@mikro-orm/migrations';

/** Reports of security codes read the codes of their days only. */
export class Migration20261123000001_security_code_days extends Migration {
  override up(): void {
    this.addSql(
      'create index security_codes_of_days on security_codes (organization_id, environment, created_at)',
    );
  }
}
