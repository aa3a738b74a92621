import { createHash } from 'node:crypto';
import type { Request } from 'express';

/** How long a key identifies its first request. After that it can be used again. */
export const retentionHours = 24;

/** The use of an Idempotency-Key: the values that identify a request within its organization and environment. */
export interface IdempotencyKeyUse {
  key: string;
  /** Method and path of the operation. */
  route: string;
  /** SHA-256 of the body, as hex. */
  digest: string;
}

/**
 * The use of an Idempotency-Key by a request, already validated against openapi.yaml; null without one.
 *
 * @param body the body in the form for the use case, so that bodies with the same meaning have the same digest
 */
export function readIdempotencyKeyUse(request: Request, body: object): IdempotencyKeyUse | null {
  const key = request.get('idempotency-key');
  if (key === undefined) return null;
  const { method, path } = request.operation;
  return { key, route: `${method} ${path}`, digest: digestBody(body) };
}

/**
 * SHA-256 of a body, independent of its encoding and of the order of its fields. It does not include the organization:
 * a key belongs to one organization, in whichever way the request names it.
 */
export function digestBody(body: object): string {
  const { organizationId: _organizationId, ...rest } = body as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(rest)))
    .digest('hex');
}

/** Sorts the fields of objects, so that their order makes no difference. A list never equals an object. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]): [string, unknown] => [name, sortKeys(inner)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { fields };
}
