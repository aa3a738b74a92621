import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Environment } from '../principal.ts';
import { recordset } from '../recordset.ts';
import { retentionHours, type IdempotencyKeyUse } from './idempotency-key-use.ts';

/** The use of a key, with the owner of the key. */
export interface OwnedKeyUse extends IdempotencyKeyUse {
  organizationId: string;
  environment: Environment;
}

/** The result of a use case that may be repeated: the created resource, or the earlier response. */
export type IdempotentResult<Record> =
  { kind: 'made'; record: Record } | { kind: 'replayed'; status: number; body: string };

/**
 * SQL that locks a key until the transaction ends, and is false while another transaction holds the lock. A request in
 * progress is therefore reported at once, so that no request and no batch waits for it. Two keys with the same hash can
 * only cause this report.
 */
export function tryHoldKey(scope: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${scope}, 0))`;
}

/** The text that identifies a key for `tryHoldKey`. */
export function nameOfKey({ organizationId, environment, route, key }: OwnedKeyUse): string {
  return JSON.stringify([organizationId, environment, route, key]);
}

/**
 * Finds the stored responses of these keys, in one read.
 *
 * @returns for each use, in order: the response to the same request, `key_reused` if another request used the key, or
 *   null if nothing is stored for the key
 */
export async function findAnswers(
  db: Sql,
  keyUses: OwnedKeyUse[],
  now: Date,
): Promise<({ status: number; body: string } | 'key_reused' | null)[]> {
  // `offset 0` makes the planner look up each key. The policy of the table, which names the organizations, is a condition
  // of an index too, and without it the planner may read all keys of the organizations and join them.
  const asked = keyUses.map((keyUse, position) => ({ ...keyUse, position }));
  const { rows } = await sql<{ position: number; digest: string; status: number; body: string }>`
    select position, encode(held.digest, 'hex') as digest, held.status, held.body
    from ${recordset(asked, 'asked', {
      position: 'integer',
      organizationId: 'uuid',
      environment: 'text',
      route: 'text',
      key: 'text',
    })}
    cross join lateral (
      select digest, status, body from idempotency_keys
      where organization_id = asked."organizationId" and environment = asked.environment and route = asked.route
        and key = asked.key and created_at > ${now}::timestamptz - make_interval(hours => ${retentionHours})
      offset 0
    ) held
  `.execute(db);
  const found = new Map(rows.map((row) => [row.position, row]));
  return keyUses.map(({ digest }, index) => {
    const row = found.get(index);
    if (!row) return null;
    return row.digest === digest ? { status: row.status, body: row.body } : 'key_reused';
  });
}

export function keyReused(): ApiError {
  return new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key was already used with another body. Use a new key for a new request.',
    {
      errors: [
        {
          path: '/headers/idempotency-key',
          code: 'idempotency_key_reused',
          message: 'was used with another body',
        },
      ],
    },
  );
}

export function keyInProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still in progress. Repeat this request in a second.',
    { headers: { 'Retry-After': '1' } },
  );
}
