import { findBrokenConstraint } from '../../database.ts';
import { ApiError } from '../../errors.ts';
import { normalizeText } from './normalize-text.ts';
import { readOptOut } from './opt-out-words.ts';

/**
 * Converts a keyword to the form used for comparison.
 *
 * @throws ApiError keyword_reserved
 */
export function readKeyword(keyword: string): string {
  if (readOptOut(keyword)) {
    throw new ApiError(
      'keyword_reserved',
      'A message with only this word ends or resumes sending, regardless of the rules. Choose another keyword.',
      {
        errors: [
          {
            path: '/body/keyword',
            code: 'keyword_reserved',
            message: 'is STOP, START or another reserved word',
          },
        ],
      },
    );
  }
  return normalizeText(keyword);
}

/** Rethrows an error, as already_exists if the organization already has this rule. */
export function refuseSecondRule(error: unknown): never {
  if (findBrokenConstraint(error) !== 'inbound_keywords_rule_unique') throw error;
  throw new ApiError(
    'already_exists',
    'The organization already has a rule with this keyword and matchType, possibly in another case or Unicode form. ' +
      'See GET /api/v1/inbound/keywords.',
    { errors: [{ path: '/body/keyword', code: 'already_exists', message: 'already has a rule' }] },
  );
}
