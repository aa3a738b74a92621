import { Router, type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Contract } from './contract.ts';
import { formats } from './formats.ts';

/**
 * Bodies with more values than this are validated up to the first error. Reporting all errors of a body that consists
 * of errors only would cost many times as much as reading it.
 */
const fullyReportedValues = 1000;

type Validators = Map<string, Router>;

/** The validators of a contract, which all APIs of a process share. Compiling them costs more than all they ever do. */
const validatorsOf = new WeakMap<Contract, Validators>();

/**
 * Validates requests, and responses if requested, against openapi.yaml.
 *
 * For each request, the validator compiles and tries the pattern of every path it knows. The operation is already
 * known here, so each path has its own validator, created at its first call: the cost of a request does not grow with
 * the number of endpoints.
 */
export function validateRequests(contract: Contract, validateResponses: boolean): RequestHandler {
  const validators = validatorsOf.get(contract) ?? new Map<string, Router>();
  validatorsOf.set(contract, validators);
  return (request, response, next) => {
    const { path } = request.operation;
    const reported = hasMoreValues(request.body, fullyReportedValues) ? 'first' : 'all';
    const name = `${path} ${reported} ${validateResponses}`;
    let validator = validators.get(name);
    if (!validator) {
      validator = createValidator(contract, path, { allErrors: reported === 'all', validateResponses });
      validators.set(name, validator);
    }
    // A large body is processed in a new turn of the event loop, because its validation has already taken long.
    validator(
      request,
      response,
      reported === 'all' ? next : (error?: unknown) => setImmediate(() => next(error)),
    );
  };
}

/** Whether a value contains more than `most` values, itself included. Visits no more than that. */
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
  return Router().use(
    OpenApiValidator.middleware({
      apiSpec: copyWithEnums(documentOf(contract, path)),
      validateSecurity: false,
      validateRequests: { coerceTypes: false, allErrors, removeAdditional: false },
      validateResponses,
      fileUploader: false,
      validateApiSpec: false,
      formats,
    }),
  );
}

/**
 * Returns the part of the contract that describes one path: of the components, only those that it refers to. The
 * validator reads and copies its document several times, so the whole one would cost each path most of 100 ms.
 */
function documentOf({ document, resolve }: Contract, path: string): Contract['document'] {
  const { openapi, info, servers = [] } = document;
  const item = document.paths[path]!;
  const components: Record<string, Record<string, unknown>> = {};
  const open: unknown[] = [item];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { $ref } = node as { $ref?: unknown };
    const [, section, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(String($ref)) ?? [];
    if (section !== undefined && name !== undefined && components[section]?.[name] === undefined) {
      const component = resolve(node);
      (components[section] ??= {})[name] = component;
      open.push(component);
    }
    open.push(...Object.values(node));
  }
  return { openapi, info, servers, paths: { [path]: item }, components };
}

/**
 * Copies the document with `enum: [value]` in place of `const: value`: the validator's message for `enum` names the
 * allowed values, its message for `const` does not.
 */
function copyWithEnums(document: Contract['document']): Contract['document'] {
  const replaceConst = (_name: string, node: unknown): unknown => {
    if (typeof node !== 'object' || node === null || !('type' in node && 'const' in node)) return node;
    const { const: value, ...schema } = node;
    return { ...schema, enum: [value] };
  };
  return JSON.parse(JSON.stringify(document), replaceConst) as Contract['document'];
}
