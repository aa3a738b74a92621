import { Migration } from '@mikro-orm/migrations';

/** The inbox lists conversations, and each conversation its messages, in the order of this index. */
export class Migration20261123000000_conversations extends Migration {
  override up(): void {
    this.addSql(
      'create index inbound_messages_conversation on inbound_messages (organization_id, sender, recipient, id)',
    );
  }
}
