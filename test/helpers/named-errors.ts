import { findErrorOperations } from '../../scripts/error-operations.ts';
import { errorCatalogue, isErrorCode } from '../../src/errors.ts';

let operations: ReturnType<typeof findErrorOperations> | undefined;

/**
 * Whether the contract names the code of a problem at the operation that returned it, so that the page of the code lists
 * the operation. Some codes may come from any operation: the catalogue says so.
 *
 * @param path of the request, without its query
 */
export function isNamedError(code: string, method: string, path: string): boolean {
  if (!isErrorCode(code)) return false;
  if ('anywhere' in errorCatalogue[code]) return true;
  operations ??= findErrorOperations();
  return (operations.get(code) ?? []).some(
    (operation) => operation.method === method && patternOf(operation.path).test(path),
  );
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
