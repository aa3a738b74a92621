import type { Principal } from '../principal.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { TemplateCategory, TemplateScope } from './template.entity.ts';

/** The body by which a template is made or changed, already held against openapi.yaml. */
export interface TemplateInput {
  name: string;
  content: string;
  category?: TemplateCategory;
  scope?: TemplateScope;
}

/**
 * Whose a template with this scope is: nobody's in particular, or the caller's; of a key, the one's who made it.
 *
 * @throws ApiError invalid_request for an API key that asks for a personal one, but whose maker is not known
 */
export function ownerOf({ personId }: Principal, scope: TemplateScope): string | null {
  if (scope === 'team') return null;
  if (personId !== null) return personId;
  const message = 'must be team: nobody is known who made this API key and could own a personal template';
  throw new ApiError('invalid_request', `The scope ${message}.`, {
    errors: [{ path: '/body/scope', code: 'not_allowed', message }],
  });
}

/** Passes an error on, as already_exists where another template has the name. */
export function refuseTakenName(error: unknown): never {
  const constraint = findBrokenConstraint(error);
  if (constraint === 'templates_team_name_unique') {
    throw new ApiError('already_exists', 'A template of the team has this name already. Choose another.');
  }
  if (constraint === 'templates_personal_name_unique') {
    throw new ApiError('already_exists', 'You have a personal template of this name. Choose another.');
  }
  throw error;
}
