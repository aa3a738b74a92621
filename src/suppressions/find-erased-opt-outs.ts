import { sql } from 'kysely';
import type { Sql } from '../database.ts';

/** Returns those of the hashes whose numbers have opted out and were erased since. */
export async function findErasedOptOuts(
  db: Sql,
  organizationId: string,
  numberHashes: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(number_hash, 'hex') as hash from erased_opt_outs
    where organization_id = ${organizationId} and number_hash in (
      select decode(hash, 'hex') from unnest(${numberHashes}::text[]) as hash
    )
  `.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}
