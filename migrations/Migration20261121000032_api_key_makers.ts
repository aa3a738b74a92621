import { Migration } from '@mikro-orm/migrations';

/**
 * Who made an API key, whose personal templates it works with. The audit log knows it of the keys that there are; of
 * one whose maker is gone, nobody is its maker.
 */
export class Migration20261121000032_api_key_makers extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_keys add column maker_id uuid null;
      alter table api_keys add constraint api_keys_maker_id_foreign foreign key (maker_id) references users (id) on delete set null;
      update api_keys set maker_id = users.id
      from audit_events join users on users.id::text = actor_id
      where action = 'api_key.created' and actor_kind = 'user' and subject_id = api_keys.id::text;
    `);
  }
}
