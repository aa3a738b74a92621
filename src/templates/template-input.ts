import type { Principal } from '../auth/principal.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
import { parseMergeFields } from './merge-fields.ts';
import type { TemplateCategory, TemplateScope } from './template.entity.ts';

/** The body by which a template is made or changed, already held against openapi.yaml. */
export interface TemplateInput {
  name: string;
  content: string;
  category?: TemplateCategory;
  scope?: TemplateScope;
}

/** @throws ApiError invalid_request with an entry for each merge field that cannot be filled in */
export function checkContent(content: string, category: TemplateCategory): void {
  const { problems } = parseMergeFields(content, { allowsCode: category === 'otp' });
  if (problems.length === 0) return;
  throw new ApiError(
    'invalid_request',
    'The content has merge fields that cannot be filled in; see errors.',
    {
      errors: problems.map(({ code, message }) => ({ path: '/body/content', code, message })),
    },
  );
}

/**
 * Whose a template with this scope is: nobody's in particular, or the caller's.
 *
 * @throws ApiError invalid_request for an API key that asks for a personal one, which nobody could ever see
 */
export function ownerOf({ actor }: Principal, scope: TemplateScope): string | null {
  if (scope === 'team') return null;
  if (actor.kind === 'user') return actor.id;
  const message = 'must be team: a personal template is one person’s, and an API key is none';
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
