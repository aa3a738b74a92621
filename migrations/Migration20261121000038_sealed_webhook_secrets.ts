import { Migration } from '@mikro-orm/migrations';

/**
 * Room for the secrets of webhooks, sealed. Those that are stored in clear stay for now: only workers have the pepper
 * to seal them with (`startSecretSealing`), and the index tells them which are left.
 */
export class Migration20261121000038_sealed_webhook_secrets extends Migration {
  override up(): void {
    this.addSql(`
      alter table messages add column sealed_webhook_secret bytea null;
      create index messages_secret_in_clear on messages (id) where webhook_secret is not null;
    `);
  }
}
