import { Migration } from '@mikro-orm/migrations';

/** The addresses from which a key may be used; null for any. */
export class Migration20261123000021_api_key_addresses extends Migration {
  override up(): void {
    this.addSql('alter table api_keys add column allowed_addresses text[]');
  }
}
