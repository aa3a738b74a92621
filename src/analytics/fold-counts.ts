import { sql } from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import type { Log } from '../log.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';
import { countTables, list, tryLockCounts } from './count-tables.ts';
import { forgetChangedDays, type ChangedSlot } from './forget-days.ts';

const pauseMs = 1000;

/** The maximum number of rows of each table of deltas that one transaction folds. */
const deltasAtOnce = 20_000;

/**
 * Folds the changes into the counts once a second, so that analytics queries find few of them. Any number of workers
 * may run this: one at a time does the work. It affects only the speed of analytics, not their results.
 */
export function startFolding({ database, log }: { database: Database; log: Log }): {
  stop: () => Promise<void>;
} {
  return repeatUntilStopped({
    pauseMs,
    round: async (stopping) => {
      while (!stopping.aborted && (await foldCounts(database)) === 'more');
    },
    onFailure: (error) => log.warn({ err: error }, 'message counts cannot be folded; folding is retried'),
  });
}

/**
 * Moves changes from the deltas to their counts, in one transaction, so that every snapshot has a change in exactly
 * one of the two places. Deltas may be taken in any order, because they are only added up.
 *
 * @returns `more` when there may be some left; `busy` when another process is folding: two processes would wait for
 * each other's rows, or deadlock
 */
export async function foldCounts(
  database: Database,
  limit = deltasAtOnce,
): Promise<'done' | 'more' | 'busy'> {
  return sqlOf(database)
    .transaction()
    .execute(async (transaction) => {
      if (!(await tryLockCounts(transaction))) return 'busy';
      let more = false;
      const changed: ChangedSlot[] = [];
      for (const tables of countTables) {
        const { taken, slots } = await fold(transaction, tables, limit);
        more ||= taken === limit;
        changed.push(...slots);
      }
      if (changed.length > 0) await forgetChangedDays(transaction, changed);
      return more ? 'more' : 'done';
    });
}

/**
 * An upsert looks up each key in the index, however many counts there are; a plan of MERGE might read all of them.
 * Counts that reach zero are deleted, for example those of an organization that was deleted.
 *
 * @returns how many deltas were folded, and the slots that they belong to
 */
async function fold(
  db: Sql,
  { counts, deltas, keys, counters }: (typeof countTables)[number],
  limit: number,
): Promise<{ taken: number; slots: ChangedSlot[] }> {
  const isEmpty = list(counters, (name) => `${name} = 0`, ' and ');
  const { rows } = await sql<{ taken: number; slots: ChangedSlot[] | null; empty: object[] | null }>`
    with taken as (
      delete from ${sql.table(deltas)}
      where id in (select id from ${sql.table(deltas)} order by id limit ${limit})
      returning *
    ), folded as (
      insert into ${sql.table(counts)} as kept (${list(keys)}, ${list(counters)})
      select ${list(keys)}, ${list(counters, (name) => `sum(${name})`)} from taken group by ${list(keys)}
      on conflict (${list(keys)}) do update
        set ${list(counters, (name) => `${name} = kept.${name} + excluded.${name}`)}
      returning ${list(keys)}, ${list(counters)}
    )
    select (select count(*)::int from taken) as taken,
      (select json_agg(changed) from (
        select distinct organization_id as "organizationId", slot from taken
      ) changed) as slots,
      (select json_agg(folded) from folded where ${isEmpty}) as empty
  `.execute(db);
  const { taken, slots, empty } = rows[0]!;
  if (empty) {
    await sql`
      delete from ${sql.table(counts)} kept
      using json_populate_recordset(null::${sql.table(counts)}, ${JSON.stringify(empty)}::json) empty
      where ${list(keys, (key) => `kept.${key} = empty.${key}`, ' and ')}
    `.execute(db);
  }
  return { taken, slots: slots ?? [] };
}
