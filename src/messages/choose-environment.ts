import { ApiError } from '../errors.ts';
import type { Environment, Principal } from '../principal.ts';

/**
 * Returns the caller, acting in the environment that the request names. A session may choose; a key has one.
 *
 * Error: permission_denied, for a key of the other environment.
 */
export function chooseEnvironment(principal: Principal, environment: Environment | undefined): Principal {
  if (environment === undefined || environment === principal.environment) return principal;
  if (principal.actor.kind === 'user') return { ...principal, environment };
  throw new ApiError(
    'permission_denied',
    `A ${principal.environment} key sends messages of the ${principal.environment} environment only.`,
  );
}
