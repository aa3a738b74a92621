import { Migration } from '@mikro-orm/migrations';

/**
 * An operator's entry and a recipient's STOP each have a row of their own, so that neither is lost by the other; and a
 * STOP says to which numbers it was sent.
 */
export class Migration20261121000023_opt_outs extends Migration {
  override up(): void {
    this.addSql(`
      alter table suppressions drop constraint suppressions_number_unique;
      alter table suppressions add constraint suppressions_number_unique unique (organization_id, phone_number, source);
      alter table suppressions add column stopped_numbers text[] not null default '{}';
      update suppressions set stopped_numbers = array[stop.recipient]
        from inbound_messages stop where stop.id = suppressions.inbound_message_id;
    `);
  }
}
