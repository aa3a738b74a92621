import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Schemas } from '../http/contract/contract-types.ts';
import { termsOf } from './content-conditions.ts';

/** Returns what texts are compared with, computed by PostgreSQL as it is for texts. */
export async function readTerms(
  em: EntityManager,
  kind: Schemas['ContentRuleKind'],
  values: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ terms: string[] }>`
    select to_json(${termsOf(kind, sql`${[...values]}::text[]`)}) as terms
  `.execute(em.getKysely());
  return [...new Set(rows[0]!.terms)];
}
