import type { Request, RequestHandler } from 'express';
import { createShares } from './shares.ts';

/**
 * How many requests of one organization a process handles at a time while others send too. Fewer would make batches so
 * small that the organization sends less than the machine can carry.
 */
const requestsPerOrganization = 16;

/** An organization counts as sending for a minute after its last request. */
const sendingMs = 60_000;

/** The operations that organizations call in floods. */
const sharedOperations = new Set(['sendMessage', 'sendSecurityCode']);

/**
 * Keeps an organization that floods the API from filling the process: its requests to send wait for each other, before
 * their bodies are read, and those of other organizations pass. Behind this point everything is handled in the order of
 * arrival and in batches that all organizations share. While only one organization sends, nothing waits.
 */
export function shareProcess(): RequestHandler {
  const shares = createShares({ perOrganization: requestsPerOrganization, aloneAfterMs: sendingMs });
  return (request, response, next) => {
    const organizationId = sharedOperations.has(request.operation.operationId)
      ? organizationOf(request)
      : undefined;
    if (organizationId === undefined) return next();
    shares.enter(organizationId, () => {
      // The caller may have gone while the request waited.
      if (response.closed) return false;
      response.once('close', () => shares.leave(organizationId));
      next();
      return true;
    });
  };
}

/** The organization of a key; the user of a session, which may act for several organizations. */
function organizationOf({ apiKey, session }: Request): string | undefined {
  return apiKey?.organizationId ?? session?.userId;
}
