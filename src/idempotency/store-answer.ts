import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import type { OwnedKeyUse } from './find-answer.ts';
import { retentionHours } from './idempotency-key-use.ts';

/**
 * The statement that stores responses for keys that this transaction has locked (`tryHoldKey`). It replaces those that
 * have expired. `returning` may follow it.
 *
 * @param answers a `select` or `values` of organization, environment, route, key, digest, status, body and time
 */
export function insertAnswers(answers: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into idempotency_keys as kept (organization_id, environment, route, key, digest, status, body, created_at)
    ${answers}
    on conflict (organization_id, environment, route, key) do update set
      digest = excluded.digest, status = excluded.status, body = excluded.body, created_at = excluded.created_at
      where kept.created_at <= excluded.created_at - make_interval(hours => ${retentionHours})`;
}

/** Stores one response. It is known that no other response is stored for the key, except an expired one. */
export async function storeAnswer(
  db: Sql,
  keyUse: OwnedKeyUse,
  answer: { status: number; body: string },
  createdAt: Date,
): Promise<void> {
  const { organizationId, environment, route, key, digest } = keyUse;
  await insertAnswers(sql`values (
    ${organizationId}::uuid, ${environment}, ${route}, ${key}, decode(${digest}, 'hex'), ${answer.status}::smallint,
    ${answer.body}, ${createdAt}::timestamptz
  )`).execute(db);
}
