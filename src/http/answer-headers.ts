import type { RequestHandler } from 'express';

const yearSeconds = 31_536_000;

/**
 * The headers of every response, including those to input that Node's parser refuses before there is a request. A
 * response of the API is data: a browser that is led to show it loads, frames and runs nothing. Pages replace the policy
 * and the referrer with their own.
 */
export function headersOfAll(baseUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${yearSeconds}` }),
  };
}

/** Sets the common headers on each response. */
export function setHeadersOfAll(baseUrl: string): RequestHandler {
  const headers = new Map(Object.entries(headersOfAll(baseUrl)));
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/**
 * Keeps responses for one caller out of caches (RFC 9111, 5.2.2.5): all responses, including errors, of operations that
 * require or issue a credential.
 */
export function forbidStoring(): RequestHandler {
  return ({ operation: { permission, path } }, response, next) => {
    if (permission !== 'public' || path.startsWith('/api/auth/')) response.set('Cache-Control', 'no-store');
    next();
  };
}
