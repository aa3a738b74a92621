import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { foldText } from './fold-text.ts';
import type { MatchType } from './match-keyword.ts';
import { readOptOut } from './opt-out-words.ts';

/** What a keyword rule says, as openapi.yaml has it. */
export interface KeywordInput {
  keyword: string;
  response: string;
  matchType?: MatchType;
  sender?: string | null;
  enabled?: boolean;
}

/**
 * Brings a keyword to the form in which it is compared.
 *
 * @throws ApiError keyword_reserved
 */
export function readKeyword(keyword: string): string {
  if (readOptOut(keyword)) {
    throw new ApiError(
      'keyword_reserved',
      'A message with this word alone ends or begins sending, whatever the rules say. Take another keyword.',
      { errors: [{ path: '/body/keyword', code: 'keyword_reserved', message: 'is STOP, START or alike' }] },
    );
  }
  return foldText(keyword);
}

/**
 * Reads the sender of a rule's replies, if one is named.
 *
 * @returns the sender in the form in which it was approved
 * @throws ApiError sender_not_approved unless the organization may send under it
 */
export async function readReplySender(
  db: Sql,
  organizationId: string,
  given: string | null,
): Promise<string | null> {
  if (given === null) return null;
  const sender = normalizeSender(given);
  const { rows } = await sql`
    select from sender_ids
    where organization_id = ${organizationId} and value = ${sender} and status = 'approved'
  `.execute(db);
  if (rows.length > 0) return sender;
  throw new ApiError('sender_not_approved', 'The sender is not approved for this organization.', {
    errors: [{ path: '/body/sender', code: 'sender_not_approved', message: 'is not an approved sender' }],
  });
}

/** Passes an error on, as already_exists where the organization has such a rule. */
export function refuseSecondRule(error: unknown): never {
  if (findBrokenConstraint(error) !== 'inbound_keywords_rule_unique') throw error;
  throw new ApiError(
    'already_exists',
    'The organization has a rule with this keyword and matchType, if in another case or form: see ' +
      'GET /api/v1/inbound/keywords.',
    { errors: [{ path: '/body/keyword', code: 'already_exists', message: 'has a rule already' }] },
  );
}
