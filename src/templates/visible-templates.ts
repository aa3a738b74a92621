import type { FilterQuery } from '@mikro-orm/core';
import type { Principal } from '../principal.ts';
import type { Template } from './template.entity.ts';

/** What the caller sees of the organization's templates: those of the team, and the person's own. */
export function visibleTo({ personId }: Principal): FilterQuery<Template> {
  return personId === null ? { scope: 'team' } : { $or: [{ scope: 'team' }, { owner: personId }] };
}
