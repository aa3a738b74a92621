import type { EntityManager, InferKyselyDB, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';

/** The service's database. Use entities through `em.fork()`, and set-based SQL for hot paths through `sqlOf`. */
export type Database = MikroORM;

/** Kysely on the pool, or on a transaction that is passed instead of it. */
export type Sql = Kysely<unknown>;

/** Returns the query builder for the set-based statements of hot paths. It uses MikroORM's pool, not a separate one. */
export function sqlOf(database: Database): Sql {
  return database.em.getKysely<unknown>();
}

/** Statements use the names of entities and their properties. Values are converted as MikroORM converts them. */
const byEntity = {
  tableNamingStrategy: 'entity',
  columnNamingStrategy: 'property',
  convertValues: true,
} as const;

/** The tables of these entities, with their types: `Tables<typeof Message | typeof MessageEvent>`. */
export type Tables<Entity extends { name: string }> = Kysely<InferKyselyDB<Entity, typeof byEntity>>;

/**
 * Returns the query builder for the tables of the entities that the caller names, in the transaction of the entity
 * manager if it has one. A relation is named by its property: `organization` is the column `organization_id`.
 */
export function tablesOf<Entity extends { name: string }>(em: EntityManager): Tables<Entity> {
  // MikroORM infers the type from the entity manager's own entities; here the caller names them.
  return em.getKysely<any>(byEntity) as Tables<Entity>;
}

/**
 * Returns whether an error means that the database could not be reached, or cannot store anything at the moment, as
 * opposed to a refused statement.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  // Checked by shape: a socket error may come from another realm, where `instanceof` fails.
  let cause = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (typeof cause.code === 'string' && unreachableCodes.has(cause.code)) return true;
    if (lostConnection.test(String(cause.message))) return true;
  }
  return false;
}

/**
 * Returns the name of the unique constraint or index that a statement would have violated; null for any other error.
 */
export function findBrokenConstraint(error: unknown): string | null {
  let cause = error as { code?: unknown; constraint?: unknown; cause?: unknown } | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (cause.code === '23505' && typeof cause.constraint === 'string') return cause.constraint;
  }
  return null;
}

/**
 * The messages of pg that have no code. The last one is for a connection that was lost within a transaction, which is
 * then rolled back.
 */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|(connection error and|was closed and) is not queryable/i;

/**
 * Socket errors, and PostgreSQL's own: too many clients, shutting down, crashed, starting up; a disk that is full, and a
 * standby that was the primary before a failover.
 */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '25006',
  '53100',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
]);
