import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { AuditEvent } from './audit-event.entity.ts';

type Actor = Pick<AuditEvent, 'actorKind' | 'actorId'>;

/**
 * Finds the current names of the actors of events, in one statement for a page of events. The users may belong to no
 * organization of the reader: an administrator of the service, or a former member.
 *
 * @returns the name of an actor; null for one that does not exist any more, and for the service itself
 */
export async function nameActors(
  database: Database,
  events: readonly Actor[],
): Promise<(actor: Actor) => string | null> {
  const idsOf = (kind: string) => [
    ...new Set(events.filter((event) => event.actorKind === kind).flatMap(({ actorId }) => actorId ?? [])),
  ];
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from users where id = any(${idsOf('user')}::uuid[])
    union all
    select id, name from api_keys where id = any(${idsOf('api_key')}::uuid[])
  `.execute(sqlOf(database));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ({ actorId }) => (actorId === null ? null : (names.get(actorId) ?? null));
}
