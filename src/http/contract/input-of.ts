import type { Request } from 'express';
import type { Inputs } from './contract-types.ts';

/**
 * Returns the query and the body of a request, of the types that the contract gives them. Both are validated against
 * the contract before a handler runs.
 *
 * @param id the operation that the handler answers
 * @throws Error when the request belongs to another operation, whose input has other types
 */
export function inputOf<Id extends keyof Inputs>(
  { operation, query, body }: Pick<Request, 'operation' | 'query' | 'body'>,
  id: Id,
): Inputs[Id] {
  if (operation.operationId !== id) {
    throw new Error(`The handler of ${operation.operationId} reads the input of ${id}.`);
  }
  return { query, body } as unknown as Inputs[Id];
}
