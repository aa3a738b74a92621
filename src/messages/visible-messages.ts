import type { Principal } from '../auth/principal.ts';

/** The messages a caller may see: those of its organization and, for a key, of its environment. */
export function visibleMessages(principal: Principal): {
  organization: string;
  environment: 'live' | 'test';
} {
  return { organization: principal.organizationId, environment: principal.environment };
}
