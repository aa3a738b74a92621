import type { FilterQuery } from '@mikro-orm/core';
import type { Principal } from '../principal.ts';
import type { Template } from './template.entity.ts';

/** The templates of the organization that the caller sees: the team's, and the person's own. */
export function visibleTo({ personId }: Principal): FilterQuery<Template> {
  return personId === null ? { scope: 'team' } : { $or: [{ scope: 'team' }, { owner: personId }] };
}
