import type { Principal } from '../principal.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { TemplateScope } from './template.entity.ts';

/**
 * The owner of a template with this scope: none for the team, or the caller; for an API key, the user who created the
 * key.
 *
 * @throws ApiError invalid_request for an API key that requests a personal template, if the user who created the key
 * is unknown
 */
export function ownerOf({ personId }: Principal, scope: TemplateScope): string | null {
  if (scope === 'team') return null;
  if (personId !== null) return personId;
  const message =
    'must be team: the user who created this API key is unknown, so a template cannot be personal';
  throw new ApiError('invalid_request', `The scope ${message}.`, {
    errors: [{ path: '/body/scope', code: 'not_allowed', message }],
  });
}

/** Rethrows an error, as already_exists if another template has the name. */
export function refuseTakenName(error: unknown): never {
  const constraint = findBrokenConstraint(error);
  if (constraint === 'templates_team_name_unique') {
    throw new ApiError(
      'already_exists',
      'The team already has a template with this name. Choose another name.',
    );
  }
  if (constraint === 'templates_personal_name_unique') {
    throw new ApiError(
      'already_exists',
      'You already have a personal template with this name. Choose another name.',
    );
  }
  throw error;
}
