import type { Request, RequestHandler } from 'express';

/**
 * Makes the question whether who made a request would still be let in, for answers that go on for long: a key may
 * be revoked meanwhile, a session end, a membership too. Whatever keeps it from being answered is a no.
 *
 * @param steps what lets requests in: each throws, or sets `principal`
 */
export function createAdmissionCheck(steps: RequestHandler[]): (request: Request) => Promise<boolean> {
  return async (request) => {
    const { organizationId } = request.principal;
    try {
      for (const step of steps) await step(request, request.res!, () => undefined);
      return request.principal.organizationId === organizationId;
    } catch {
      return false;
    }
  };
}
