import { sql, type RawBuilder } from 'kysely';
import type { Schemas } from '../http/contract-types.ts';

/** A keyword rule as lists and responses show it. */
export type KeywordRecord = Schemas['InboundKeyword'];

/** The columns of a record, for `select` and `returning`. */
export const keywordColumns: RawBuilder<KeywordRecord> = sql`
  id, organization_id as "organizationId", keyword, response, match_type as "matchType", sender, enabled,
  created_at as "createdAt", updated_at as "updatedAt"
`;

/** @param row a row of the columns above; times as PostgreSQL writes them */
export function toKeywordRecord(row: KeywordRecord): KeywordRecord {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
