import type { EntityManager, InferKyselyDB, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';

/** The service's database: entities by `em.fork()`, hot paths by set-based SQL through `sqlOf`. */
export type Database = MikroORM;

/** Kysely over the pool, or over the transaction that is passed around in its place. */
export type Sql = Kysely<unknown>;

/** Where the set-based statements of the hot paths run: on the pool that MikroORM has, not on one beside it. */
export function sqlOf(database: Database): Sql {
  return database.em.getKysely<unknown>();
}

/** Statements name entities and their properties; values are converted as MikroORM converts them. */
const byEntity = {
  tableNamingStrategy: 'entity',
  columnNamingStrategy: 'property',
  convertValues: true,
} as const;

/** The tables of these entities, as typed by them: `Tables<typeof Message | typeof MessageEvent>`. */
export type Tables<Entity extends { name: string }> = Kysely<InferKyselyDB<Entity, typeof byEntity>>;

/**
 * Returns the query builder for the tables of the entities that the caller names, in the transaction of the entity
 * manager if it has one. A relation is named by its property: `organization` is the column `organization_id`.
 */
export function tablesOf<Entity extends { name: string }>(em: EntityManager): Tables<Entity> {
  // MikroORM infers the type from the entity manager's own entities; here the caller names them.
  return em.getKysely<any>(byEntity) as Tables<Entity>;
}

/** The URL of the database, for a connection that cannot be the pool's. */
export function urlOf(database: Database): string {
  return database.config.get('clientUrl');
}

/** Whether an error means that the database could not be reached, as opposed to refusing the statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  // Looked at by shape: an error of a socket may come from another realm, where `instanceof` fails.
  let cause = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (typeof cause.code === 'string' && unreachableCodes.has(cause.code)) return true;
    if (lostConnection.test(String(cause.message))) return true;
  }
  return false;
}

/** The name of the unique constraint or index that a statement would have broken; null for any other error. */
export function findBrokenConstraint(error: unknown): string | null {
  let cause = error as { code?: unknown; constraint?: unknown; cause?: unknown } | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (cause.code === '23505' && typeof cause.constraint === 'string') return cause.constraint;
  }
  return null;
}

/** What pg says without a code; the last of a connection that broke within a transaction, which is then rolled back. */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|(connection error and|was closed and) is not queryable/i;

/** Socket errors, and PostgreSQL's own: too many clients, shutting down, crashed, starting up. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
]);
