import type { Request } from 'express';
import { ApiError, errorCatalogue } from '../errors.ts';

/**
 * Makes the check of requests whose credentials came in a cookie, which a browser sends whoever made it call.
 * What only reads passes: another site cannot see the answer. Origin decides where there is one (Fetch standard,
 * 3.2; browsers name it in all unsafe requests across origins), else the page in Referer, else Sec-Fetch-Site
 * (Fetch Metadata, 2.3). A program that is no browser sends none of the three.
 *
 * Error: invalid_origin.
 *
 * @param trustedOrigins ours included
 */
export function createCrossSiteCheck(trustedOrigins: readonly string[]): (request: Request) => void {
  const trusted = new Set(trustedOrigins);
  return (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const caller = request.get('Origin') ?? originOf(request.get('Referer'));
    const isTrusted =
      caller === undefined
        ? !['cross-site', 'same-site'].includes(request.get('Sec-Fetch-Site')?.toLowerCase() ?? 'none')
        : trusted.has(caller);
    if (!isTrusted) throw new ApiError('invalid_origin', errorCatalogue.invalid_origin[1]);
  };
}

/** `null`, as browsers write the origin of what has none, for what is no URL. */
function originOf(referer: string | undefined): string | undefined {
  return referer === undefined ? undefined : (URL.parse(referer)?.origin ?? 'null');
}
