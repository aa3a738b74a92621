import type { Request } from 'express';
import { ApiError, errorCatalogue } from '../../errors.ts';

/**
 * Creates the check of requests with credentials in a cookie, which a browser sends whichever site caused the request.
 * Requests that only read pass, because another site cannot see the response. Origin decides if it is present (Fetch
 * standard, 3.2; browsers send it in all unsafe requests across origins), otherwise the page in Referer, otherwise
 * Sec-Fetch-Site (Fetch Metadata, 2.3). A program that is not a browser sends none of the three.
 *
 * Error: invalid_origin.
 *
 * @param trustedOrigins includes the origin of the service
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
    if (!isTrusted) throw new ApiError('invalid_origin', errorCatalogue.invalid_origin.meaning);
  };
}

/** The origin of a URL. Text that is not a URL gives `null`, the text that browsers send for an opaque origin. */
function originOf(referer: string | undefined): string | undefined {
  return referer === undefined ? undefined : (URL.parse(referer)?.origin ?? 'null');
}
