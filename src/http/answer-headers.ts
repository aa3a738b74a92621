import type { RequestHandler } from 'express';

const yearSeconds = 31_536_000;

/** The headers of every answer, also of those that Node's parser makes us give before there is a request. */
export function headersOfAll(baseUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${yearSeconds}` }),
  };
}

/** Gives each answer the headers of all. */
export function setHeadersOfAll(baseUrl: string): RequestHandler {
  const headers = headersOfAll(baseUrl);
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}

/**
 * Keeps what is for one caller out of caches (RFC 9111, 5.2.2.5): what an operation answers that asks for a
 * credential, or gives one, errors included.
 */
export function forbidStoring(): RequestHandler {
  return ({ operation: { permission, path } }, response, next) => {
    if (permission !== 'public' || path.startsWith('/api/auth/')) response.set('Cache-Control', 'no-store');
    next();
  };
}
