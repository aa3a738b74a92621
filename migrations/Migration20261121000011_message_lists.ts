import { Migration } from '@mikro-orm/migrations';

/**
 * What the filters of GET /api/v1/messages need: docs/decisions/message-lists.md. `bench/message-list.ts`
 * measures both what they read and what they cost.
 */
export class Migration20261121000011_message_lists extends Migration {
  override up(): void {
    this.addSql(`
      create index messages_list_by_status on messages (organization_id, environment, status, id);
      create index messages_list_by_recipient on messages (organization_id, environment, recipient, status, id);
      create index messages_list_by_sender on messages (organization_id, environment, sender, status, id);
    `);
    // Each status that a message passes through leaves a dead entry behind. By default they are swept when a
    // fifth of the table has changed; by then a list of what is queued would wade through millions of them.
    this.addSql(`
      alter table messages set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);
    `);
    // Row-level security says `organization_id = any (…)` of an array that the planner cannot see into. It takes
    // that for ten organizations of however many there are, on top of the condition that names one, and so
    // expects a single row of all but the largest: then all indexes look alike, and it picks the wrong one. Told
    // that there are few organizations, it expects the policy to leave out nothing, as is true. What it knows of
    // organizations by name comes from the most common values, of which it is to keep more for it.
    this.addSql(`
      alter table messages alter column organization_id set (n_distinct = 5);
      alter table messages alter column organization_id set statistics 1000;
    `);
  }
}
