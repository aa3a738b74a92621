import type { Environment, Principal } from '../auth/principal.ts';

/** The messages a caller may see: those of its organization and, for a key, of its environment. */
export function visibleMessages(principal: Principal): {
  organization: string;
  environment: { $in: readonly Environment[] };
} {
  return { organization: principal.organizationId, environment: { $in: principal.sees } };
}
