import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
import { normalizeText } from './normalize-text.ts';
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
  return normalizeText(keyword);
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
