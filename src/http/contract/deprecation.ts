import type { RequestHandler } from 'express';

/** From when on an operation is deprecated, and until when it works at least. */
export interface Deprecation {
  since: Date;
  sunset: Date;
}

/** docs/releases.md promises six months, of which the shortest have 181 days. */
const shortestNoticeDays = 181;
const dayMs = 86_400_000;

/**
 * Reads `deprecated`, `x-deprecated-since` and `x-sunset` of an operation in the contract; the latter two are dates. null:
 * the operation is not deprecated.
 *
 * @throws Error if a date is missing or wrong, or callers have less than six months to change their programs
 */
export function readDeprecation(operation: Record<string, unknown>): Deprecation | null {
  if (operation['deprecated'] !== true) return null;
  const [since, sunset] = ['x-deprecated-since', 'x-sunset'].map((name) => {
    const date = new Date(String(operation[name]));
    if (Number.isNaN(date.getTime())) throw new Error(`A deprecated operation has the date ${name}.`);
    return date;
  }) as [Date, Date];
  if (sunset.getTime() - since.getTime() < shortestNoticeDays * dayMs) {
    throw new Error('x-sunset must be at least six months after x-deprecated-since.');
  }
  return { since, sunset };
}

/** Announces on each response of a deprecated operation when it ends: RFC 9745 (Deprecation) and RFC 8594 (Sunset). */
export function announceDeprecation(baseUrl: string): RequestHandler {
  return ({ operation: { deprecation } }, response, next) => {
    if (deprecation) {
      response.set({
        Deprecation: `@${deprecation.since.getTime() / 1000}`,
        Sunset: deprecation.sunset.toUTCString(),
        Link: `<${baseUrl}/docs/releases>; rel="deprecation"`,
      });
    }
    next();
  };
}
