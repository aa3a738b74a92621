import { Router, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Contract } from './contract.ts';
import { formats } from './formats.ts';

/**
 * Holds requests, and where asked for answers too, against openapi.yaml.
 *
 * The validator looks a request's path up by compiling and trying the pattern of every path it knows, at each
 * request. The operation is known already, so each path has a validator of its own, made when it is first
 * called: what a request costs does not grow with the number of endpoints.
 */
export function validateRequests(contract: Contract, validateResponses: boolean): RequestHandler {
  const validators = new Map<string, Router>();
  return (request, response, next) => {
    const { path } = request.operation;
    let validator = validators.get(path);
    if (!validator) validators.set(path, (validator = createValidator(contract, path, validateResponses)));
    validator(request, response, next);
  };
}

function createValidator(contract: Contract, path: string, validateResponses: boolean): Router {
  const { paths, ...document } = contract.document;
  return Router().use(
    OpenApiValidator.middleware({
      apiSpec: structuredClone({ ...document, paths: { [path]: paths[path]! } }),
      validateSecurity: false,
      validateRequests: { coerceTypes: false, allErrors: true, removeAdditional: false },
      validateResponses,
      fileUploader: false,
      validateApiSpec: false,
      formats,
    }),
  );
}
