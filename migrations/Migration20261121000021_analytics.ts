import { Migration } from '@mikro-orm/migrations';

/**
 * What analytics are read from: docs/decisions/analytics.md. The triggers are made before the messages are counted
 * for the first time, and that keeps writers out until this is committed: no message is missed or counted twice.
 * Ten million messages take some 70 seconds.
 */
export class Migration20261121000021_analytics extends Migration {
  override up(): void {
    this.addSql(`
      create table message_counts (
        ${keys},
        bulk_batch_id uuid not null,
        error_code text not null,
        ${counters.map((name) => `${name} int not null`).join(', ')},
        primary key (organization_id, environment, slot, sender, bulk_batch_id, error_code)
      );
      create table message_count_deltas (
        id bigserial primary key,
        ${keys},
        bulk_batch_id uuid not null,
        error_code text not null,
        ${counters.map((name) => `${name} int not null`).join(', ')}
      );
      create table delivery_time_counts (
        ${keys},
        bucket smallint not null,
        messages int not null,
        primary key (organization_id, environment, slot, sender, bucket)
      );
      create table delivery_time_deltas (
        id bigserial primary key,
        ${keys},
        bucket smallint not null,
        messages int not null
      );
    `);
    for (const table of [
      'message_counts',
      'message_count_deltas',
      'delivery_time_counts',
      'delivery_time_deltas',
    ]) {
      // Organizations may read their counts; only the triggers and the fold, which are the owner's, write them.
      // Of n_distinct and row-level security: Migration20261121000011_message_lists.
      this.addSql(`
        alter table ${table} add constraint ${table}_environment_check check (environment in ('live', 'test'));
        grant select on ${table} to sms_tenant;
        alter table ${table} enable row level security;
        create policy of_organization on ${table} to sms_tenant
          using (organization_id = any (${organizationIds})) with check (organization_id = any (${organizationIds}));
        alter table ${table} alter column organization_id set (n_distinct = 5);
      `);
    }
    // Each row of the deltas lives for a second or so. What it leaves behind is to go before readers wade through it.
    this.addSql(`
      alter table message_count_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      alter table delivery_time_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
    `);
    this.addSql(`
      create function count_messages() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        if tg_op = 'INSERT' then
          ${countRows(newRows)}
          if ${anyDelivered('new_rows')} then ${countTimes(newRows)} end if;
        elsif tg_op = 'UPDATE' then
          ${countRows(`${oldRows} union all ${newRows}`)}
          if ${anyDelivered('new_rows')} or ${anyDelivered('old_rows')} then ${countTimes(`${oldRows} union all ${newRows}`)} end if;
        else
          ${countRows(oldRows)}
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
    // In the order of the keys, so that the rows of a day are beside each other, as later ones will be.
    const messages = `select 1 as sign, ${counted} from messages`;
    this.addSql(`
      insert into message_counts (${countColumns}) ${selectCounts(messages)} order by 1, 2, 3;
      insert into delivery_time_counts (${timeColumns}) ${selectTimes(messages)} order by 1, 2, 3;
    `);
  }
}

const keys = `
        organization_id uuid not null,
        environment text not null,
        slot timestamptz(3) not null,
        sender text not null`;

const statuses = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'];
const counters = [...statuses, 'segments'];
const countColumns = `organization_id, environment, slot, sender, bulk_batch_id, error_code, ${counters.join(', ')}`;
const timeColumns = 'organization_id, environment, slot, sender, bucket, messages';

/** All that counts of a message. */
const counted =
  'organization_id, environment, sender, bulk_batch_id, error_code, status, segments, created_at, delivered_at';
const oldRows = `select -1 as sign, ${counted} from old_rows`;
const newRows = `select 1 as sign, ${counted} from new_rows`;

/**
 * Appends what came of rows that left (-1) and rows that came (1). Nothing comes of an update that changed nothing
 * that counts. Old and new rows are added up rather than joined: the plan is made once and kept, and that of a join
 * of one row with one would be ruinous for five hundred.
 */
function countRows(rows: string): string {
  return `insert into message_count_deltas (${countColumns}) ${selectCounts(rows)};`;
}

function countTimes(rows: string): string {
  return `insert into delivery_time_deltas (${timeColumns}) ${selectTimes(rows)};`;
}

/** Most statements deliver nothing, and asking is a tenth of the price of counting. */
function anyDelivered(rows: string): string {
  return `exists (select from ${rows} where delivered_at is not null)`;
}

function selectCounts(rows: string): string {
  const sums = [
    ...statuses.map((status) => `coalesce(sum(sign) filter (where status = '${status}'), 0)`),
    'sum(sign * segments)',
  ];
  return `
            select organization_id, environment, ${slot}, sender,
              coalesce(bulk_batch_id, '00000000-0000-0000-0000-000000000000'), coalesce(error_code, ''), ${sums.join(', ')}
            from (${rows}) counted
            group by 1, 2, 3, 4, 5, 6
            having ${sums.map((sum) => `${sum} <> 0`).join(' or ')}`;
}

/** The buckets are those of src/analytics/delivery-time.ts. */
function selectTimes(rows: string): string {
  return `
            select organization_id, environment, ${slot}, sender,
              ceil(ln(greatest(extract(epoch from delivered_at - created_at)::float8 * 1000, 1)) / ln(1.02::float8 / 0.98)),
              sum(sign)
            from (${rows}) counted
            where delivered_at is not null
            group by 1, 2, 3, 4, 5
            having sum(sign) <> 0`;
}

const slot = `date_bin('15 minutes', created_at, '2000-01-01 00:00:00+00')`;

/** As in Migration20261121000006_organization_walls. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
