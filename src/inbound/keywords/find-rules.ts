import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import { toDate, type Stored } from '../../stored-rows.ts';
import type { MatchableRule } from './match-keyword.ts';
import { normalizeText } from './normalize-text.ts';

/** A rule with what its reply needs. */
export interface Rule extends MatchableRule {
  organizationId: string;
  response: string;
  sender: string | null;
}

/**
 * Reads the enabled rules that may match a text: for every match type, the text contains the keyword. `matchKeyword`
 * chooses among them.
 */
export async function findRules(db: Sql, text: string, organizationIds: readonly string[]): Promise<Rule[]> {
  const { rows } = await sql<Stored<Rule>>`
    select id, organization_id as "organizationId", match_type as "matchType", folded_keyword as "foldedKeyword",
      response, sender, created_at as "createdAt"
    from inbound_keywords
    where organization_id = any(${[...organizationIds]}::uuid[]) and enabled
      and strpos(${normalizeText(text)}, folded_keyword) > 0
  `.execute(db);
  return rows.map((row) => ({ ...row, createdAt: toDate(row.createdAt) }));
}
