import { Router, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Contract } from './contract.ts';
import { formats } from './formats.ts';

/**
 * Bodies with more values than this are held against the interface up to the first error: told of in full, a body of
 * errors alone would cost many times what reading it does.
 */
const fullyToldValues = 1000;

/**
 * Holds requests, and where asked for answers too, against openapi.yaml.
 *
 * The validator looks a request's path up by compiling and trying the pattern of every path it knows, at each
 * request. The operation is known already, so each path has a validator of its own, made when it is first
 * called: what a request costs does not grow with the number of endpoints.
 */
export function validateRequests(contract: Contract, validateResponses: boolean): RequestHandler {
  const validators = { all: new Map<string, Router>(), first: new Map<string, Router>() };
  return (request, response, next) => {
    const { path } = request.operation;
    const told = hasMoreValues(request.body, fullyToldValues) ? 'first' : 'all';
    let validator = validators[told].get(path);
    if (!validator) {
      validator = createValidator(contract, path, { allErrors: told === 'all', validateResponses });
      validators[told].set(path, validator);
    }
    // What is done with a large body comes in a turn of its own: validating it was long enough.
    validator(
      request,
      response,
      told === 'all' ? next : (error?: unknown) => setImmediate(() => next(error)),
    );
  };
}

/** Looks at no more than so many. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0 && count <= most) {
    const one = open.pop();
    count += 1;
    if (typeof one !== 'object' || one === null) continue;
    for (const inner of Array.isArray(one) ? one : Object.values(one)) {
      if (open.length + count > most) return true;
      open.push(inner);
    }
  }
  return count > most;
}

function createValidator(
  contract: Contract,
  path: string,
  { allErrors, validateResponses }: { allErrors: boolean; validateResponses: boolean },
): Router {
  const { paths, ...document } = contract.document;
  return Router().use(
    OpenApiValidator.middleware({
      apiSpec: structuredClone({ ...document, paths: { [path]: paths[path]! } }),
      validateSecurity: false,
      validateRequests: { coerceTypes: false, allErrors, removeAdditional: false },
      validateResponses,
      fileUploader: false,
      validateApiSpec: false,
      formats,
    }),
  );
}
