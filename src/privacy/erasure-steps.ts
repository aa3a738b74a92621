import { sql } from 'kysely';
import { removeFromPhonebooks } from '../phonebooks/remove-from-phonebooks.ts';
import { environments } from '../principal.ts';
import { eraseFromBatches, eraseFromImports } from './erase-from-parts.ts';
import { eraseFromTexts } from './erase-from-texts.ts';
import { findUnfinished } from './find-remains.ts';
import { endOfErasure } from './person.ts';
import { fieldsWithout, has, run, scan, without, type Step } from './scan-rows.ts';

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

const wait: Step = async (db, person) => {
  const waitingFor = await findUnfinished(db, person);
  return waitingFor === null ? { changed: {}, cursor: null } : { waitingFor };
};

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

/** Also the step of the platform, for messages without an organization. */
export const eraseFromInbound = scan('inbound_messages', sql`true`, async (db, person, ids) => ({
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
 * that has the number in its name goes. The cursor is the last key that stays, because it must not show the number.
 */
const eraseFromKeys: Step = async (db, person, { cursor, rows }) => {
  const [environment = '', route = '', key = ''] = cursor === null ? [] : (JSON.parse(cursor) as string[]);
  const { rows: done } = await sql<{ examined: number; changed: number; last: string | null }>`
    with page as (
      select environment, route, key, ${has('key', person)} as "isNamed" from idempotency_keys
      where organization_id = ${person.organizationId} and (environment, route, key) > (${environment}, ${route}, ${key})
      order by environment, route, key limit ${rows}
    ), deleted as (
      delete from idempotency_keys as stored using page
      where stored.organization_id = ${person.organizationId} and stored.environment = page.environment
        and stored.route = page.route and stored.key = page.key and "isNamed"
      returning 1
    ), changed as (
      update idempotency_keys as stored set body = (
        body::jsonb || jsonb_build_object('to', ${person.mask}::text)
        || case when body::jsonb ? 'text' then '{"text": "", "metadata": {}}'::jsonb else '{}'::jsonb end
      )::text
      from page
      where stored.organization_id = ${person.organizationId} and stored.environment = page.environment
        and stored.route = page.route and stored.key = page.key and not "isNamed" and ${has('body', person)}
      returning 1
    )
    select (select count(*)::int from page) as examined,
      (select count(*)::int from deleted) + (select count(*)::int from changed) as changed,
      (select jsonb_build_array(environment, route, key)::text from page where not "isNamed"
        order by environment desc, route desc, key desc limit 1) as last
  `.execute(db);
  const { examined, changed, last } = done[0]!;
  return {
    changed: { idempotency_keys: changed },
    cursor: examined < rows ? null : (last ?? JSON.stringify([environment, route, key])),
  };
};

const eraseFromNotifications = scan('notifications', sql`true`, async (db, person, ids) => ({
  notifications: await run(
    db,
    sql`
    update notifications set title = ${without('title', person)}, body = ${without('body', person)},
      data = ${fieldsWithout('data', person)}
    where id = any(${ids}::uuid[])
      and (${has('title', person)} or ${has('body', person)} or ${has('data', person)})`,
  ),
}));

/** The entries of the suppression list stay in force, as a keyed hash of the number. */
const eraseSuppressions: Step = async (db, { organizationId, phoneNumber, numberHash }) => ({
  changed: {
    suppressions: await run(
      db,
      sql`
      with removed as (
        delete from suppressions where organization_id = ${organizationId} and phone_number = ${phoneNumber}
        returning source, created_at
      )
      insert into erased_opt_outs (organization_id, number_hash, source, created_at)
      select ${organizationId}, decode(${numberHash}, 'hex'), source, created_at from removed
      on conflict (organization_id, number_hash, source) do nothing`,
    ),
  },
  cursor: null,
});

const eraseFromSuppressions = scan('suppressions', sql`true`, async (db, person, ids) => ({
  suppressions: await run(
    db,
    sql`
    update suppressions set reason = ${without('reason', person)}
    where id = any(${ids}::uuid[]) and ${has('reason', person)}`,
  ),
}));

/** First whatever could send to the number again, then what must have ended, then everything else. */
const beforeWaiting: Step[] = [
  ...eraseFromTexts,
  ...[eraseContact, eraseFromContacts, ...eraseFromSchedules, ...eraseFromBatches],
];

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
  eraseFromSuppressions,
];

/** Where an erasure begins anew. */
export const firstStepAfterWaiting = beforeWaiting.length;
