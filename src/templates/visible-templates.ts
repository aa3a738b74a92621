import type { FilterQuery } from '@mikro-orm/core';
import type { Principal } from '../auth/principal.ts';
import type { Template } from './template.entity.ts';

/** What the caller sees of the organization's templates: those of the team, and a person's own. */
export function visibleTo({ actor }: Principal): FilterQuery<Template> {
  return actor.kind === 'user' ? { $or: [{ scope: 'team' }, { owner: actor.id }] } : { scope: 'team' };
}
