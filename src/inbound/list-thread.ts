import { sql } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import { notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { readSentBetween } from '../messages/read-sent-between.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toIsoTime } from '../stored-rows.ts';

type ThreadEntry = Schemas['InboundThreadEntry'];

/**
 * Lists what the phone and the number of an inbound message wrote to each other, newest first, in three statements: the
 * numbers, a page of inbound messages, and a page of messages. Ids are in the order of time, so the newest of both are
 * the page. Errors: not_found.
 */
export async function listThread(
  database: Database,
  principal: Principal,
  messageId: string,
  page: CursorQuery,
): Promise<CursorPage<ThreadEntry>> {
  if (!validate(messageId)) throw notFound();
  const { organizationId, visibleEnvironments } = principal;
  const entries = await asTenant(database, principal, async (em) => {
    const db = em.getKysely<unknown>();
    const { rows } = await sql<{ phone: string; number: string }>`
      select sender as phone, recipient as number from inbound_messages
      where id = ${messageId} and organization_id = ${organizationId}
    `.execute(db);
    if (!rows[0]) throw notFound();
    const between = { organizationId, visibleEnvironments, ...rows[0], ...page, limit: page.limit + 1 };
    const received = await readReceived(db, between);
    const { phone, number } = between;
    const sent = (await readSentBetween(db, between)).map((row) => ({
      ...{ ...row, direction: 'outbound' as const, from: number, to: phone },
      createdAt: toIsoTime(row.createdAt),
    }));
    return [...received, ...sent].sort((one, other) => (one.id < other.id ? 1 : -1));
  });
  return toCursorPage(entries, page, (entry) => entry);
}

interface Between {
  organizationId: string;
  phone: string;
  number: string;
  before: string | null;
  limit: number;
}

async function readReceived(db: Sql, { organizationId, phone, number, before, limit }: Between) {
  const { rows } = await sql<Omit<ThreadEntry, 'direction' | 'environment' | 'from' | 'to'>>`
    select id, text, status, error_code as "errorCode", error_message as "errorMessage", created_at as "createdAt"
    from inbound_messages
    where (organization_id, sender, recipient) = (${organizationId}::uuid, ${phone}, ${number})
      and ${before === null ? sql`true` : sql`id < ${before}`}
    order by organization_id desc, sender desc, recipient desc, id desc limit ${limit}
  `.execute(db);
  return rows.map((row): ThreadEntry => ({
    ...{ ...row, direction: 'inbound', from: phone, to: number, environment: null },
    createdAt: toIsoTime(row.createdAt),
  }));
}
