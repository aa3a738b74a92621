import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { environments } from '../principal.ts';
import { pageThroughParts } from './page-through-parts.ts';
import type { Person } from './person.ts';
import { fieldsWithout, has, run, textsWithout, without, type Step } from './scan-rows.ts';

interface Examined {
  examined: number;
  last: number | null;
  changed: number;
}

/** A batch that has not come to the recipient makes a failed message for it, so that its ledger balances. */
export const eraseFromBatches = environments.map((environment): Step => {
  return async (db, person, { cursor, rows }) => {
    const nextId = async (after: string) => {
      // The batch is locked as by a chunk that reads its recipients, and by what freezes them.
      const found = await sql<{ id: string }>`
        select id from bulk_batches
        where organization_id = ${person.organizationId} and environment = ${environment} and id > ${after}
        order by id limit 1 for no key update
      `.execute(db);
      return found.rows[0]?.id;
    };
    const page = await pageThroughParts(cursor, rows, nextId, (part) => eraseRecipients(db, person, part));
    return { changed: { bulk_recipients: page.changed }, cursor: page.isDone ? null : page.cursor };
  };
});

async function eraseRecipients(
  db: Sql,
  person: Person,
  { id, after, limit, isFirst }: { id: string; after: number; limit: number; isFirst: boolean },
): Promise<Examined> {
  if (!isFirst) await sql`select from bulk_batches where id = ${id} for no key update`.execute(db);
  const { rows } = await sql<Examined>`
    with page as (
      select batch_id, position from bulk_recipients
      where batch_id = ${id} and organization_id = ${person.organizationId} and position > ${after}
      order by position limit ${limit}
    ), changed as (
      update bulk_recipients set
        refusal = case
          when recipient = ${person.phoneNumber} and message_id is null then coalesce(refusal, 'invalid_recipient')
          else refusal end,
        fields = case when recipient = ${person.phoneNumber} then null else ${fieldsWithout('fields', person)} end,
        recipient = case when recipient = ${person.phoneNumber} then ${person.mask} else recipient end
      where batch_id = ${id} and position > ${after} and position <= (select max(position) from page)
        and (recipient = ${person.phoneNumber} or ${has('fields', person)})
      returning 1
    )
    select (select count(*)::int from page) as examined, (select max(position) from page) as last,
      (select count(*)::int from changed) as changed
  `.execute(db);
  return rows[0]!;
}

/** What imports have read of the number. Their files are gone, because the erasure waited for them. */
export const eraseFromImports: Step = async (db, person, { cursor, rows }) => {
  const nextId = async (after: string) => {
    const found = await sql<{ id: string }>`
      select id from contact_imports where organization_id = ${person.organizationId} and id > ${after}
      order by id limit 1
    `.execute(db);
    return found.rows[0]?.id;
  };
  const others: Record<string, number> = {};
  const page = await pageThroughParts(cursor, rows, nextId, async (part) => {
    if (part.isFirst) {
      for (const [table, changed] of Object.entries(await eraseFromImport(db, person, part.id)))
        others[table] = (others[table] ?? 0) + changed;
    }
    return eraseFromRejects(db, person, part);
  });
  return {
    changed: { ...others, contact_import_rejects: page.changed },
    cursor: page.isDone ? null : page.cursor,
  };
};

async function eraseFromImport(db: Sql, person: Person, id: string): Promise<Record<string, number>> {
  return {
    contact_imports: await run(
      db,
      sql`
      update contact_imports set columns = ${textsWithout('columns', person)}
      where id = ${id} and ${has('columns', person)}`,
    ),
    contact_import_numbers: await run(
      db,
      sql`delete from contact_import_numbers where import_id = ${id} and phone_number = ${person.phoneNumber}`,
    ),
    // A file has at most 32 MiB, in a few dozen parts.
    contact_import_chunks: await run(
      db,
      sql`
      delete from contact_import_chunks using contact_imports
      where contact_imports.id = import_id and import_id = ${id} and status <> 'processing'`,
    ),
  };
}

async function eraseFromRejects(
  db: Sql,
  person: Person,
  { id, after, limit }: { id: string; after: number; limit: number },
): Promise<Examined> {
  const { rows } = await sql<Examined>`
    with page as (
      select line from contact_import_rejects where import_id = ${id} and line > ${after}
      order by line limit ${limit}
    ), changed as (
      update contact_import_rejects set message = ${without('message', person)},
        "column" = ${without('column', person)}, cells = ${textsWithout('cells', person)}
      where import_id = ${id} and line > ${after} and line <= (select max(line) from page)
        and (${has('cells', person)} or ${has('message', person)} or ${has('column', person)})
      returning 1
    )
    select (select count(*)::int from page) as examined, (select max(line) from page) as last,
      (select count(*)::int from changed) as changed
  `.execute(db);
  return rows[0]!;
}
