import type { RequestHandler } from 'express';
import { validate } from 'uuid';
import { notFound } from '../../errors.ts';

/**
 * Answers not_found if an id in the path is not a UUID: no row has such an id, and PostgreSQL would refuse to compare
 * it. This runs after the caller is authorized, so use cases trust the ids of paths. The ids in bodies and queries are
 * theirs to check.
 */
export function refuseOtherIds(): RequestHandler {
  return ({ operation, path }, _response, next) => {
    const { idSegments } = operation;
    const given = idSegments.length > 0 ? path.split('/') : [];
    const isOther = idSegments.some((at) => !validate(decodeURIComponent(given[at]!)));
    next(isOther ? notFound() : undefined);
  };
}
