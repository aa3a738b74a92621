import { Migration } from '@mikro-orm/migrations';
import { behindWall } from './organization-wall.ts';
import { expectFewOrganizations } from './table-statistics.ts';

/**
 * What analytics are read from: docs/decisions/analytics.md. Triggers append what each statement changes of messages to
 * the deltas; the worker folds them into the counts.
 */
export class Migration20261121000021_analytics extends Migration {
  override up(): void {
    this.addSql(`
      create table message_counts (
        ${slotOfSender},
        bulk_batch_id uuid not null,
        error_code text not null,
        ${counters},
        primary key (organization_id, environment, slot, sender, bulk_batch_id, error_code)
      );
      create table message_count_deltas (
        id bigserial primary key,
        ${slotOfSender},
        bulk_batch_id uuid not null,
        error_code text not null,
        ${counters}
      ) ${vacuumedSoon};
      create table delivery_time_counts (
        ${slotOfSender},
        bucket smallint not null,
        messages int not null,
        primary key (organization_id, environment, slot, sender, bucket)
      );
      create table delivery_time_deltas (
        id bigserial primary key,
        ${slotOfSender},
        bucket smallint not null,
        messages int not null
      ) ${vacuumedSoon};
    `);
    const tables = ['message_counts', 'message_count_deltas', 'delivery_time_counts', 'delivery_time_deltas'];
    // Organizations may read their counts; only the triggers and the fold, which are the owner's, write them.
    for (const table of tables) this.addSql(behindWall(table, 'select') + expectFewOrganizations(table));
    this.addSql(`
      create function count_messages() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        if tg_op = 'INSERT' then
          ${countStatuses(newRows)}
          if ${anyDelivered('new_rows')} then ${countTimes(newRows)} end if;
        elsif tg_op = 'UPDATE' then
          ${countStatuses(`${oldRows} union all ${newRows}`)}
          if ${anyDelivered('new_rows')} or ${anyDelivered('old_rows')} then ${countTimes(`${oldRows} union all ${newRows}`)} end if;
        else
          ${countStatuses(oldRows)}
          if ${anyDelivered('old_rows')} then ${countTimes(oldRows)} end if;
        end if;
        return null;
      end $$;
      create trigger count_inserted after insert on messages
        referencing new table as new_rows for each statement execute function count_messages();
      create trigger count_updated after update on messages
        referencing old table as old_rows new table as new_rows for each statement execute function count_messages();
      create trigger count_deleted after delete on messages
        referencing old table as old_rows for each statement execute function count_messages();
    `);
  }
}

// There is no foreign key: changes of messages that are deleted with their organization are folded after it is gone.
const slotOfSender = `
        organization_id uuid not null,
        environment text not null check (environment in ('live', 'test')),
        slot timestamptz(3) not null,
        sender text not null`;

const statuses = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'];
const counters = [...statuses, 'segments'].map((name) => `${name} int not null`).join(', ');

/** Each row of the deltas lives for a second or so. What it leaves behind is to go before readers wade through it. */
const vacuumedSoon = 'with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)';

/** All that counts of a message. */
const counted =
  'organization_id, environment, sender, bulk_batch_id, error_code, status, segments, created_at, delivered_at';
const oldRows = `select -1 as sign, ${counted} from old_rows`;
const newRows = `select 1 as sign, ${counted} from new_rows`;

const slot = `date_bin('15 minutes', created_at, '2000-01-01 00:00:00+00')`;

/**
 * Appends what came of rows that left (-1) and rows that came (1). Nothing comes of an update that changed nothing
 * that counts. Old and new rows are added up rather than joined: the plan is made once and kept, and that of a join
 * of one row with one would be ruinous for five hundred.
 */
function countStatuses(rows: string): string {
  const sums = [
    ...statuses.map((status) => `coalesce(sum(sign) filter (where status = '${status}'), 0)`),
    'sum(sign * segments)',
  ];
  return `
            insert into message_count_deltas (organization_id, environment, slot, sender, bulk_batch_id, error_code,
              ${statuses.join(', ')}, segments)
            select organization_id, environment, ${slot}, sender,
              coalesce(bulk_batch_id, '00000000-0000-0000-0000-000000000000'), coalesce(error_code, ''), ${sums.join(', ')}
            from (${rows}) counted
            group by 1, 2, 3, 4, 5, 6
            having ${sums.map((sum) => `${sum} <> 0`).join(' or ')};`;
}

/** Appends the delivery times, in the buckets of src/analytics/delivery-time.ts. */
function countTimes(rows: string): string {
  return `
            insert into delivery_time_deltas (organization_id, environment, slot, sender, bucket, messages)
            select organization_id, environment, ${slot}, sender,
              ceil(ln(greatest(extract(epoch from delivered_at - created_at)::float8 * 1000, 1)) / ln(1.02::float8 / 0.98)),
              sum(sign)
            from (${rows}) counted
            where delivered_at is not null
            group by 1, 2, 3, 4, 5
            having sum(sign) <> 0;`;
}

/** Most statements deliver nothing, and asking is a tenth of the price of counting. */
function anyDelivered(rows: string): string {
  return `exists (select from ${rows} where delivered_at is not null)`;
}
