import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toIsoTime } from '../stored-rows.ts';

/** The number of changes that are shown. */
const shown = 200;

interface StoredEvent extends Omit<Schemas['ConsentEvent'], 'actor'> {
  actorKind: 'api_key' | 'user' | null;
  actorId: string | null;
}

/**
 * Returns whether a number has opted out of the messages of the caller's organization, and the changes of that, newest
 * first.
 *
 * @param number E.164, and its keyed hash
 */
export async function getConsent(
  database: Database,
  principal: Principal,
  number: { phoneNumber: string; numberHash: string },
): Promise<Schemas['Consent']> {
  const { organizationId } = principal;
  return asTenant(database, principal, async (em) => {
    const db = em.getKysely<unknown>();
    const { rows } = await sql<{ optedOut: boolean }>`
      select exists (
        select from suppressions
        where organization_id = ${organizationId} and phone_number = ${number.phoneNumber}
      ) or exists (
        select from erased_opt_outs
        where organization_id = ${organizationId} and number_hash = decode(${number.numberHash}, 'hex')
      ) as "optedOut"
    `.execute(db);
    return { optedOut: rows[0]!.optedOut, history: await readHistory(db, organizationId, number.numberHash) };
  });
}

async function readHistory(
  db: Sql,
  organizationId: string,
  numberHash: string,
): Promise<Schemas['ConsentEvent'][]> {
  const { rows } = await sql<StoredEvent>`
    select id, at, kind, source, inbound_message_id as "inboundMessageId", actor_kind as "actorKind",
      actor_id as "actorId"
    from consent_events
    where organization_id = ${organizationId} and number_hash = decode(${numberHash}, 'hex')
    order by id desc limit ${shown}
  `.execute(db);
  return rows.map(({ actorKind, actorId, at, ...event }) => ({
    ...event,
    at: toIsoTime(at),
    actor: actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId },
  }));
}
