import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import { recordset } from '../recordset.ts';
import type { Sealer } from './sealer.ts';

/** The number of messages that one statement reads or writes. */
const pageSize = 1000;

interface SealedMessage {
  id: string;
  organizationId: string;
  sealedText: string | null;
  sealedWebhookSecret: string | null;
}

/** What was done, in numbers. */
export interface ResealedMessages {
  resealed: number;
  /** Messages with values that no key can read. They stay as they are. */
  unreadable: number;
}

/**
 * Seals with the current key what is sealed with another one: texts that wait for submission, and the
 * secrets of webhooks. The service may run meanwhile; a value that changes during the call stays as it has become.
 *
 * Messages that are stored during the call are sealed with the key of the process that stores them, so call it after
 * the last process has the new one. If it is interrupted, call it again.
 *
 * @param onPage reports how many messages with sealed values were examined so far
 */
export async function resealMessages(
  database: Database,
  sealers: { text: Sealer; secret: Sealer },
  onPage: (examined: number) => void,
): Promise<ResealedMessages> {
  const db = sqlOf(database);
  const total = { resealed: 0, unreadable: 0 };
  let examined = 0;
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const { rows }: { rows: SealedMessage[] } = await sql<SealedMessage>`
      select id, organization_id as "organizationId", encode(sealed_text, 'base64') as "sealedText",
        encode(sealed_webhook_secret, 'base64') as "sealedWebhookSecret"
      from messages
      where id > ${after} and (sealed_text is not null or sealed_webhook_secret is not null)
      order by id limit ${pageSize}
    `.execute(db);
    const renewed: Omit<SealedMessage, 'organizationId'>[] = [];
    for (const row of rows) {
      try {
        const sealedText = row.sealedText && sealers.text.renew(row.id, row.sealedText);
        const sealedWebhookSecret =
          row.sealedWebhookSecret && sealers.secret.renew(row.organizationId, row.sealedWebhookSecret);
        if (sealedText || sealedWebhookSecret) renewed.push({ id: row.id, sealedText, sealedWebhookSecret });
      } catch {
        total.unreadable += 1;
      }
    }
    if (renewed.length > 0) await store(database, renewed);
    total.resealed += renewed.length;
    examined += rows.length;
    after = rows.length < pageSize ? undefined : rows.at(-1)!.id;
    onPage(examined);
  }
  return total;
}

/**
 * A text that was submitted meanwhile is gone, and stays gone. Messages are locked in the order of their ids, as by
 * `updateStatuses`, so that the two cannot deadlock.
 */
async function store(
  database: Database,
  renewed: readonly Omit<SealedMessage, 'organizationId'>[],
): Promise<void> {
  await sql`
    with locked as (
      select id from messages where id = any(${renewed.map(({ id }) => id)}::uuid[]) order by id for no key update
    )
    update messages set
      sealed_text = case when sealed_text is not null then coalesce(decode(renewed."sealedText", 'base64'), sealed_text) end,
      sealed_webhook_secret = coalesce(decode(renewed."sealedWebhookSecret", 'base64'), sealed_webhook_secret)
    from ${recordset(renewed, 'renewed', { id: 'uuid', sealedText: 'text', sealedWebhookSecret: 'text' })}
    join locked on locked.id = renewed.id
    where messages.id = renewed.id
  `.execute(sqlOf(database));
}
