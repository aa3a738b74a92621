import type { Request, RequestHandler } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { isKnownPermission } from '../../auth/permissions.ts';
import { ApiError } from '../../errors.ts';
import { roomFor, type BodyRoom } from '../requests/body-room.ts';
import { bundleContract } from './bundle-contract.ts';
import { readDeprecation, type Deprecation } from './deprecation.ts';
import type { JsonSchema } from './json-schema.ts';

/** A parameter of a path, a query or a header. */
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

/** One operation of the interface: the properties that the server needs before it reads the request. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** Where the path holds ids of rows: the places of these segments. A suppression has a second name, its number. */
  idSegments: number[];
  /**
   * `x-permission`: one of the 28 permissions of keys (`src/auth/permissions.ts`), or another caller:
   *
   * - `public`: anyone; `optional-session`: anyone, but a session is read; `session`: whoever is signed in
   * - `organization:member`, `organization:manage`: sessions of its members, or of its owners and admins
   * - `admin`: administrators of the service; `gateway`: the SMS gateway, which has a secret of its own
   */
  permission: string;
  /** `x-while-impersonating: refused`: it would let an administrator keep access to the account after their hour. */
  isRefusedWhileImpersonating: boolean;
  /** `x-body-limit`, or 1 MiB by default. */
  bodyLimitBytes: number;
  /** `x-file-limit`: the maximum size of the file in the field `file` of a multipart body; null: no file. */
  fileLimitBytes: number | null;
  /** `x-unstorable-characters: replaced`: the use case handles the characters that PostgreSQL does not store. */
  replacesUnstorable: boolean;
  /** The schema of the JSON body; `resolve` resolves its references one level at a time. undefined: no body. */
  bodySchema: JsonSchema | undefined;
  /** Whether a request without a body is refused. */
  bodyRequired: boolean;
  /** How much a body may contain; null: no body. */
  bodyRoom: BodyRoom | null;
  /** The query parameters, by name. */
  queryParameters: Map<string, { required: boolean }>;
  /** `deprecated`, `x-deprecated-since` and `x-sunset`; null: it is not deprecated. */
  deprecation: Deprecation | null;
  /** Whether the operation accepts `Idempotency-Key`. */
  takesIdempotencyKey: boolean;
}

const idInPath = /^\{(?!suppressionId)\w+Id\}$/;

export interface Contract {
  document: OpenAPIV3.DocumentV3;
  operations: Operation[];
  /** The meaning of each pattern in words: `x-pattern-says`, which stands next to the pattern. */
  patternWords: Map<string, string>;
  /** Follows `$ref`. A schema without `$ref` is returned unchanged. */
  resolve: (schema: JsonSchema) => JsonSchema;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      operation: Operation;
      /** Whether the method is HEAD, which is handled like GET, with a response without body. */
      isHead: boolean;
    }
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const defaultBodyLimitBytes = 1024 * 1024;

let loaded: Contract | undefined;

/**
 * Returns the contract, which a process reads once. Nobody may change it.
 *
 * @throws Error when an operation has no valid `x-permission`: every route requires one
 */
export function loadContract(): Contract {
  loaded ??= readContract();
  return loaded;
}

function readContract(): Contract {
  const document = bundleContract();
  const operations: Operation[] = [];
  const resolve = <Node extends { $ref?: string }>(schema: Node): Node => {
    if (schema.$ref === undefined) return schema;
    const found = schema.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    return resolve(found as Node);
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = (item as Record<string, Record<string, unknown> | undefined>)[method];
      if (!operation) continue;
      const permission = operation['x-permission'];
      if (typeof permission !== 'string' || !isKnownPermission(permission)) {
        throw new Error(`${method} ${path} has no known x-permission.`);
      }
      const parameters = [...(item?.parameters ?? []), ...((operation['parameters'] ?? []) as object[])].map(
        (parameter) => resolve(parameter as Parameter & { $ref?: string }),
      );
      const body = operation['requestBody'] as OpenAPIV3.RequestBodyObject | undefined;
      const bodySchema = body?.content['application/json']?.schema;
      operations.push({
        operationId: String(operation['operationId']),
        method: method.toUpperCase(),
        path,
        idSegments: path.split('/').flatMap((segment, at) => (idInPath.test(segment) ? [at] : [])),
        permission,
        isRefusedWhileImpersonating: operation['x-while-impersonating'] === 'refused',
        bodyLimitBytes: Number(operation['x-body-limit'] ?? defaultBodyLimitBytes),
        fileLimitBytes: operation['x-file-limit'] === undefined ? null : Number(operation['x-file-limit']),
        replacesUnstorable: operation['x-unstorable-characters'] === 'replaced',
        bodySchema,
        bodyRequired: body?.required === true,
        bodyRoom: bodySchema ? roomFor(bodySchema, resolve) : null,
        queryParameters: new Map(
          parameters
            .filter((parameter) => parameter.in === 'query')
            .map(({ name, required = false }) => [name, { required }]),
        ),
        deprecation: readDeprecation(operation),
        takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
      });
    }
  }
  return { document, operations, patternWords: findPatternWords(document), resolve };
}

function findPatternWords(node: unknown, found = new Map<string, string>()): Map<string, string> {
  if (typeof node !== 'object' || node === null) return found;
  const { pattern, 'x-pattern-says': words } = node as Record<string, unknown>;
  if (typeof pattern === 'string' && typeof words === 'string') found.set(pattern, words);
  for (const inner of Object.values(node)) findPatternWords(inner, found);
  return found;
}

/**
 * Finds the operation of a request before anything in the request is trusted. Unknown paths get a 404, unknown methods
 * a 405 with Allow, and OPTIONS a 204. HEAD is handled like GET (Node drops the body). Paths work with and without a
 * trailing slash.
 */
export function findOperation(contract: Contract): RequestHandler {
  const routes = [...Map.groupBy(contract.operations, ({ path }) => path.replace(/\/$/, ''))];
  // Most requests have a path without parameters, which needs no search. It counts before a path with parameters.
  const fixedRoutes = new Map(routes.filter(([path]) => !path.includes('{')));
  const patterns = routes
    .filter(([path]) => path.includes('{'))
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      operations,
    }));
  return (request, response, next) => {
    simplifyTarget(request);
    const path = request.path.replace(/\/$/, '');
    const operations =
      fixedRoutes.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.operations;
    if (!operations) throw new ApiError('not_found', 'Not found.');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = operations.find((candidate) => candidate.method === method);
    // A gateway's callback is a GET that changes state. A HEAD request must not change state (RFC 9110, 9.2.1).
    const operation = found?.permission === 'gateway' && request.method === 'HEAD' ? undefined : found;
    if (operation) {
      request.isHead = request.method === 'HEAD';
      request.method = method;
      request.operation = operation;
      setTarget(request, withSlashAs(operation.path, request.url));
      next();
      return;
    }
    const allowed = operations.map((candidate) => candidate.method);
    if (operations.some(({ method: name, permission }) => name === 'GET' && permission !== 'gateway'))
      allowed.push('HEAD');
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') {
      response.set('Allow', allow).status(204).end();
      return;
    }
    throw new ApiError('method_not_allowed', `${request.method} is not allowed. Use ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/** Reduces a request target in absolute form (RFC 9112, 3.2.2), or with a fragment, to path and query. */
function simplifyTarget(request: Request): void {
  const target = request.url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '').replace(/#.*$/, '');
  const simplified = target.startsWith('/') ? target : `/${target}`;
  if (simplified !== request.url) setTarget(request, simplified);
}

/** The validator recognises a path only as openapi.yaml writes it, with or without its trailing slash. */
function withSlashAs(documentedPath: string, target: string): string {
  const [path = '', ...query] = target.split('?');
  const bare = path.replace(/\/$/, '');
  return [documentedPath.endsWith('/') ? `${bare}/` : bare, ...query].join('?');
}

/** Replaces the path and query of a request in all properties from which they are read. */
export function setTarget(request: Request, target: string): void {
  request.url = target;
  request.originalUrl = target;
}
