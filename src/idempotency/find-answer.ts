import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Environment } from '../principal.ts';
import { retentionHours, type IdempotencyClaim } from './idempotency-claim.ts';

/** A claim with whose it is. */
export interface OwnedClaim extends IdempotencyClaim {
  organizationId: string;
  environment: Environment;
}

/** What a use case that may be repeated answers: what it made, or what it had answered before. */
export type IdempotentResult<Record> =
  { kind: 'made'; record: Record } | { kind: 'replayed'; status: number; body: string };

/**
 * SQL that takes hold of a key until the transaction ends, and is false while another has it: a request that
 * is still in flight is told of at once, so that nobody, and no batch, waits for it. Two keys of the same hash
 * can only meet in that answer.
 */
export function tryHoldKey(scope: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${scope}, 0))`;
}

/** The text by which `tryHoldKey` knows a key. */
export function nameOfKey({ organizationId, environment, route, key }: OwnedClaim): string {
  return JSON.stringify([organizationId, environment, route, key]);
}

/**
 * Finds what was answered under each of these keys, in one read.
 *
 * @returns for each claim, in order: the answer to the same request, `key_reused` when another request had
 *   the key, or null when nothing is stored under it
 */
export async function findAnswers(
  db: Sql,
  claims: OwnedClaim[],
  now: Date,
): Promise<({ status: number; body: string } | 'key_reused' | null)[]> {
  const { rows } = await sql<{ position: string; digest: string; status: number; body: string }>`
    select position, encode(held.digest, 'hex') as digest, held.status, held.body
    from json_array_elements(${JSON.stringify(claims)}::json) with ordinality as asked(claim, position)
    join idempotency_keys held on held.organization_id = (claim->>'organizationId')::uuid
      and held.environment = claim->>'environment' and held.route = claim->>'route' and held.key = claim->>'key'
    where held.created_at > ${now}::timestamptz - make_interval(hours => ${retentionHours})
  `.execute(db);
  const found = new Map(rows.map((row) => [Number(row.position) - 1, row]));
  return claims.map(({ digest }, index) => {
    const row = found.get(index);
    if (!row) return null;
    return row.digest === digest ? { status: row.status, body: row.body } : 'key_reused';
  });
}

export function keyReused(): ApiError {
  return new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another body before. Use a new key for a new request.',
    {
      errors: [
        {
          path: '/headers/idempotency-key',
          code: 'idempotency_key_reused',
          message: 'came with another body',
        },
      ],
    },
  );
}

export function keyInProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still under way. Repeat this one in a second.',
    { headers: { 'Retry-After': '1' } },
  );
}
