import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import type { OwnedClaim } from './find-answer.ts';

/** Stores a response for a key that this transaction has locked (`tryHoldKey`), replacing an expired one. */
export async function storeAnswer(
  db: Sql,
  claim: OwnedClaim,
  answer: { status: number; body: string },
  createdAt: Date,
): Promise<void> {
  const { organizationId, environment, route, key, digest } = claim;
  await sql`
    insert into idempotency_keys (organization_id, environment, route, key, digest, status, body, created_at)
    values (
      ${organizationId}, ${environment}, ${route}, ${key}, decode(${digest}, 'hex'), ${answer.status},
      ${answer.body}, ${createdAt}
    )
    on conflict (organization_id, environment, route, key) do update set
      digest = excluded.digest, status = excluded.status, body = excluded.body, created_at = excluded.created_at
  `.execute(db);
}
