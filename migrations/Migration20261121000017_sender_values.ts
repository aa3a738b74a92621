import { Migration } from '@mikro-orm/migrations';

/**
 * An organization has one request for a value, whatever its case: of several one only could ever be approved.
 * Where there are several, what is approved stays, else what waits for its review, else the first.
 */
export class Migration20261121000017_sender_values extends Migration {
  override up(): void {
    this.addSql(`
      delete from sender_ids where id in (
        select id from (
          select id, row_number() over (
            partition by organization_id, lower(value)
            order by array_position(array['approved', 'pending', 'rejected'], status), created_at, id
          ) as place from sender_ids
        ) ranked where place > 1
      );
      create unique index sender_ids_any_case_unique on sender_ids (organization_id, lower(value));
    `);
  }
}
