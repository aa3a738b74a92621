import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { removeFromPhonebooks } from '../phonebooks/remove-from-phonebooks.ts';
import { environments } from '../principal.ts';
import { endOfErasure, findUnfinished, type Person } from './find-remains.ts';
import type { WaitingFor } from './erasure.entity.ts';

/** What one page has done; `cursor` is where the next page of the step begins, null when the step has ended. */
type Page = { changed: Record<string, number>; cursor: string | null } | { waitingFor: WaitingFor };

/** A part of an erasure. It runs in a transaction behind the wall of the organization. */
type Step = (db: Sql, person: Person, at: { cursor: string | null; rows: number }) => Promise<Page>;

const nilId = '00000000-0000-0000-0000-000000000000';

async function run(db: Sql, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}

/**
 * A step that examines all rows of the organization in a table, page by page along an index, because the number may
 * also be in texts and in fields of callers' own names. `erase` changes those of the examined rows that have it.
 */
function scan(
  table: string,
  within: RawBuilder<unknown>,
  erase: (db: Sql, person: Person, ids: string[]) => Promise<Record<string, number>>,
): Step {
  return async (db, person, { cursor, rows }) => {
    const { rows: examined } = await sql<{ id: string }>`
      select id from ${sql.table(table)}
      where organization_id = ${person.organizationId} and ${within} and id > ${cursor ?? nilId}
      order by id limit ${rows}
    `.execute(db);
    const ids = examined.map(({ id }) => id);
    return {
      changed: ids.length > 0 ? await erase(db, person, ids) : {},
      cursor: ids.length < rows ? null : ids.at(-1)!,
    };
  };
}

/** The condition that a column has the number, in any spelling. */
const has = (column: string, { pattern }: Person) => sql`${sql.ref(column)}::text ~ ${pattern}`;

/** The text of a column without the number. */
const without = (column: string, { pattern, mask }: Person) =>
  sql`regexp_replace(${sql.ref(column)}, ${pattern}, ${mask}, 'g')`;

/** A JSON object without the fields that have the number. A mask in place of it might not be JSON. */
const fieldsWithout = (column: string, { pattern }: Person) => sql`(
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${sql.ref(column)}::jsonb)
  where key !~ ${pattern} and value::text !~ ${pattern}
)`;

/** Deletes the contact, as `deleteContact` does. */
const eraseContact: Step = async (db, person) => {
  const { organizationId, phoneNumber } = person;
  const { rows } = await sql<{ id: string }>`
    select id from contacts where organization_id = ${organizationId} and phone_number = ${phoneNumber} for update
  `.execute(db);
  const changed: Record<string, number> = {};
  if (rows[0]) {
    await removeFromPhonebooks(db, rows[0].id);
    changed['contacts'] = await run(db, sql`delete from contacts where id = ${rows[0].id}`);
  }
  return { changed, cursor: null };
};

/** The number in what other contacts have beside their own. */
const eraseFromContacts = scan('contacts', sql`true`, async (db, person, ids) => ({
  contacts: await run(
    db,
    sql`
    update contacts set
      first_name = ${without('first_name', person)}, last_name = ${without('last_name', person)},
      email = ${without('email', person)}, company = ${without('company', person)},
      tags = array(select tag from unnest(tags) as tag where tag !~ ${person.pattern}),
      custom_fields = ${fieldsWithout('custom_fields', person)}, search_text = ${without('search_text', person)}
    where id = any(${ids}::uuid[]) and phone_number <> ${person.phoneNumber}
      and (${has('search_text', person)} or ${has('custom_fields', person)} or ${has('tags', person)})`,
  ),
}));

const eraseFromSchedules = environments.map((environment) =>
  scan('message_schedules', sql`environment = ${environment}`, async (db, person, ids) => ({
    message_schedules: await run(
      db,
      sql`
      update message_schedules set
        status = case when recipient = ${person.phoneNumber} and status in ('active', 'paused') then 'cancelled' else status end,
        next_run_at = case when recipient = ${person.phoneNumber} then null else next_run_at end,
        text = case when recipient = ${person.phoneNumber} then '' else ${without('text', person)} end,
        recipient = case when recipient = ${person.phoneNumber} then ${person.mask} else recipient end
      where id = any(${ids}::uuid[]) and (recipient = ${person.phoneNumber} or ${has('text', person)})`,
    ),
  })),
);

/** A batch that has not come to the recipient makes a failed message for it, so that its ledger balances. */
const eraseFromBatches = environments.map((environment): Step => {
  const ofEnvironment = sql`environment = ${environment}`;
  const erase = scan('bulk_batches', ofEnvironment, async (db, person, ids) => {
    // The batch is locked as by a chunk that reads its recipients.
    await sql`select from bulk_batches where id = any(${ids}::uuid[]) order by id for no key update`.execute(
      db,
    );
    return {
      bulk_recipients: await run(
        db,
        sql`
        update bulk_recipients set
          refusal = case
            when recipient = ${person.phoneNumber} and message_id is null then coalesce(refusal, 'invalid_recipient')
            else refusal end,
          fields = case when recipient = ${person.phoneNumber} then null else ${fieldsWithout('fields', person)} end,
          recipient = case when recipient = ${person.phoneNumber} then ${person.mask} else recipient end
        where batch_id = any(${ids}::uuid[]) and organization_id = ${person.organizationId}
          and (recipient = ${person.phoneNumber} or ${has('fields', person)})`,
      ),
    };
  });
  // A batch has up to a hundred thousand recipients, so a page is one batch.
  return (db, person, { cursor }) => erase(db, person, { cursor, rows: 1 });
});

const wait: Step = async (db, person) => {
  const waitingFor = await findUnfinished(db, person);
  return waitingFor === null ? { changed: {}, cursor: null } : { waitingFor };
};

const eraseFromImports = scan('contact_imports', sql`true`, async (db, person, ids) => ({
  contact_import_numbers: await run(
    db,
    sql`
    delete from contact_import_numbers
    where import_id = any(${ids}::uuid[]) and phone_number = ${person.phoneNumber}`,
  ),
  contact_import_chunks: await run(
    db,
    sql`
    delete from contact_import_chunks using contact_imports
    where contact_imports.id = import_id and import_id = any(${ids}::uuid[]) and status <> 'processing'`,
  ),
  contact_import_rejects: await run(
    db,
    sql`
    update contact_import_rejects set message = ${without('message', person)},
      cells = array(select regexp_replace(cell, ${person.pattern}, ${person.mask}, 'g') from unnest(cells) as cell)
    where import_id = any(${ids}::uuid[]) and (${has('cells', person)} or ${has('message', person)})`,
  ),
}));

const eraseCodes: Step = async (db, { organizationId, phoneNumber, mask }) => ({
  changed: {
    security_codes: await run(
      db,
      sql`
      update security_codes set recipient = ${mask}
      where organization_id = ${organizationId} and environment = any(${[...environments]}::text[])
        and recipient = ${phoneNumber} and status <> 'pending'`,
    ),
  },
  cursor: null,
});

const eraseFromInbound = scan('inbound_messages', sql`true`, async (db, person, ids) => ({
  inbound_messages: await run(
    db,
    sql`
    update inbound_messages set
      text = case when sender = ${person.phoneNumber} then '' else ${without('text', person)} end,
      sender = case when sender = ${person.phoneNumber} then ${person.mask} else sender end
    where id = any(${ids}::uuid[]) and status in ('processed', 'failed', 'unmatched')
      and (sender = ${person.phoneNumber} or ${has('text', person)})`,
  ),
}));

const eraseFromDeliveries = environments.flatMap((environment) =>
  ['delivered', 'dead'].map((status) =>
    scan(
      'webhook_deliveries',
      sql`environment = ${environment} and status = ${status}`,
      async (db, person, ids) => ({
        webhook_attempts: await run(
          db,
          sql`
          update webhook_attempts set response_body = null
          where delivery_id = any(${ids}::uuid[]) and ${has('response_body', person)}`,
        ),
        webhook_deliveries: await run(
          db,
          sql`
          update webhook_deliveries set url = ${without('url', person)},
            body = case when ${has('body', person)} then '' else body end
          where id = any(${ids}::uuid[]) and status in ('delivered', 'dead')
            and (${has('body', person)} or ${has('url', person)})`,
        ),
      }),
    ),
  ),
);

const eraseFromMessages = environments.map((environment) =>
  scan('messages', sql`environment = ${environment}`, async (db, person, ids) => {
    const { rows } = await sql<{ id: string }>`
      with page as (
        select id from messages
        where id = any(${ids}::uuid[]) and status in ('delivered', 'failed', 'cancelled') and (
          (recipient = ${person.phoneNumber} and id < ${endOfErasure(person)}) or ${has('text', person)}
          or ${has('metadata', person)} or ${has('webhook_url', person)} or ${has('error_message', person)}
        )
        order by id for no key update
      )
      update messages set
        text = case when recipient = ${person.phoneNumber} then '' else ${without('text', person)} end,
        metadata = case when recipient = ${person.phoneNumber} then '{}' else ${fieldsWithout('metadata', person)}::json end,
        webhook_url = ${without('webhook_url', person)}, error_message = ${without('error_message', person)},
        recipient = case when recipient = ${person.phoneNumber} then ${person.mask} else recipient end
      from page where messages.id = page.id
      returning messages.id
    `.execute(db);
    const changed = rows.map(({ id }) => id);
    const events = sql`
      update message_events set details = ${fieldsWithout('details', person)}
      where message_id = any(${changed}::uuid[]) and ${has('details', person)}`;
    return { messages: changed.length, message_events: changed.length > 0 ? await run(db, events) : 0 };
  }),
);

/**
 * A stored answer stays under its key, without the number, so that a repeated request is not carried out again. A key
 * that has the number in its name goes.
 */
const eraseFromKeys: Step = async (db, person) => {
  const { organizationId, mask } = person;
  const deleted = await run(
    db,
    sql`delete from idempotency_keys where organization_id = ${organizationId} and ${has('key', person)}`,
  );
  const changed = await run(
    db,
    sql`
    update idempotency_keys set body = (
      body::jsonb || jsonb_build_object('to', ${mask}::text)
      || case when body::jsonb ? 'text' then '{"text": "", "metadata": {}}'::jsonb else '{}'::jsonb end
    )::text
    where organization_id = ${organizationId} and ${has('body', person)}`,
  );
  return { changed: { idempotency_keys: deleted + changed }, cursor: null };
};

const eraseFromNotifications: Step = async (db, person) => ({
  changed: {
    notifications: await run(
      db,
      sql`
      update notifications set title = ${without('title', person)}, body = ${without('body', person)},
        data = ${fieldsWithout('data', person)}
      where organization_id = ${person.organizationId}
        and (${has('title', person)} or ${has('body', person)} or ${has('data', person)})`,
    ),
  },
  cursor: null,
});

/** The entries of the suppression list stay in force, as a keyed hash of the number. */
const eraseSuppressions: Step = async (db, person) => {
  const { organizationId, phoneNumber, numberHash } = person;
  const suppressions = await run(
    db,
    sql`
    with removed as (
      delete from suppressions where organization_id = ${organizationId} and phone_number = ${phoneNumber}
      returning source, created_at
    )
    insert into erased_opt_outs (organization_id, number_hash, source, created_at)
    select ${organizationId}, decode(${numberHash}, 'hex'), source, created_at from removed
    on conflict (organization_id, number_hash, source) do nothing`,
  );
  const reasons = await run(
    db,
    sql`
    update suppressions set reason = ${without('reason', person)}
    where organization_id = ${organizationId} and ${has('reason', person)}`,
  );
  return { changed: { suppressions: suppressions + reasons }, cursor: null };
};

/** First whatever could send to the number again, then what must have ended, then everything else. */
const beforeWaiting: Step[] = [eraseContact, eraseFromContacts, ...eraseFromSchedules, ...eraseFromBatches];

/** What an erasure does, in this order. Erasures in progress know their step by its place: add new ones at the end. */
export const erasureSteps: readonly Step[] = [
  ...beforeWaiting,
  wait,
  // An import that ran until now may have stored the contact again.
  eraseContact,
  eraseFromImports,
  eraseCodes,
  eraseFromInbound,
  ...eraseFromDeliveries,
  ...eraseFromMessages,
  eraseFromKeys,
  eraseFromNotifications,
  eraseSuppressions,
];

/** Where an erasure begins anew. */
export const firstStepAfterWaiting = beforeWaiting.length;
