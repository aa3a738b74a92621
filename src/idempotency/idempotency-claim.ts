import { createHash } from 'node:crypto';
import type { Request } from 'express';

/** How long a key stands for its first request; after that it is free again (contract section 1). */
export const retentionHours = 24;

/** What a request with an Idempotency-Key is known by, within its organization and environment. */
export interface IdempotencyClaim {
  key: string;
  /** Method and path of the operation. */
  route: string;
  /** SHA-256 of the body, as hex. */
  digest: string;
}

/**
 * The claim of a request that carries an Idempotency-Key, already held against openapi.yaml; null without one.
 *
 * @param body the body as the use case takes it, so that bodies that mean the same have the same digest
 */
export function readIdempotencyClaim(request: Request, body: object): IdempotencyClaim | null {
  const key = request.get('idempotency-key');
  if (key === undefined) return null;
  const { method, path } = request.operation;
  return { key, route: `${method} ${path}`, digest: digestBody(body) };
}

/**
 * SHA-256 of a body, the same whatever encoding it came in and in whatever order its fields stood. Which
 * organization it is for is not part of it: a key belongs to one organization, however that was named.
 */
export function digestBody(body: object): string {
  const { organizationId: _organizationId, ...rest } = body as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(rest)))
    .digest('hex');
}

/** Objects become lists of their fields by name, so that none is told apart by order, nor mistaken for a list. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]): [string, unknown] => [name, sortKeys(inner)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { fields };
}
