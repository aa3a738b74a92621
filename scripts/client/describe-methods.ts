import {
  readContract,
  type ContractResponse,
  type Operation,
  type Parameter,
} from '../contract-operations.ts';
import type { Schema } from '../schema-types.ts';
import { harmlessOperations, methodNames, streams } from './method-names.ts';

/** A method of the client, and what its text depends on. */
export interface Method {
  /** With its resource: `messages.send`. */
  name: string;
  operation: Operation;
  pathParameters: string[];
  query: Parameter[];
  /** The schema of the body; undefined if the operation reads none. */
  body: Schema | undefined;
  isBodyRequired: boolean;
  takesKey: boolean;
  isHarmless: boolean;
  isUpload: boolean;
  /** What the response is. */
  kind: 'json' | 'empty' | 'download' | 'stream';
  /** The schema of the response, if it is JSON. */
  response: Schema | undefined;
  /** How to get the next page, and the field with the items and their schema; undefined if it is no list. */
  paging: { kind: 'byCursor' | 'byPage' | 'byOffset'; field: string; item: Schema } | undefined;
  /** Statuses beyond 2xx whose body has the same schema. */
  answers: number[];
}

/**
 * Describes a method for each operation that a program can call. Without one are the callbacks of the gateway, which
 * have a credential of their own, and pages and redirects, which are for browsers.
 *
 * @throws Error if an operation has no name, or a name has no operation
 */
export function describeMethods(): Method[] {
  const { operations, schemas } = readContract();
  const callable = operations.filter(
    (operation) => operation['x-permission'] !== 'gateway' && kindOf(operation) !== undefined,
  );
  const ids = new Set(callable.map(({ operationId }) => operationId));
  const nameless = [...ids].filter((id) => methodNames[id] === undefined);
  const stale = Object.keys(methodNames).filter((id) => !ids.has(id));
  if (nameless.length > 0)
    throw new Error(`Name these in scripts/client/method-names.ts: ${nameless.join()}.`);
  if (stale.length > 0) throw new Error(`The contract lacks these of method-names.ts: ${stale.join()}.`);
  return callable.map((operation) => describe(operation, schemas));
}

function describe(operation: Operation, schemas: Record<string, Schema>): Method {
  const { operationId, parameters, requestBody, responses } = operation;
  const response = successOf(operation)?.content?.['application/json']?.schema;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length > 0 && requestBody) throw new Error(`${operationId} has a query and a body.`);
  return {
    name: methodNames[operationId]!,
    operation,
    pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query,
    body: requestBody?.content['application/json']?.schema,
    isBodyRequired: requestBody?.required === true,
    takesKey: parameters.some(
      (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
    ),
    isHarmless: harmlessOperations.includes(operationId),
    isUpload: operation['x-file-limit'] !== undefined,
    kind: kindOf(operation)!,
    response,
    paging: pagingOf(query, response?.$ref ? schemas[response.$ref.split('/').at(-1)!] : response),
    answers: Object.entries(responses)
      .filter(([status, { content }]) => /^[45]/.test(status) && content?.['application/json'])
      .map(([status]) => Number(status)),
  };
}

function successOf({ responses }: Operation): ContractResponse | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
}

function kindOf(operation: Operation): Method['kind'] | undefined {
  const success = successOf(operation);
  if (success === undefined) return undefined;
  const { content } = success;
  if (content === undefined) return 'empty';
  if (content['application/json']) return 'json';
  if (content['text/csv']) return 'download';
  if (content['text/event-stream']) {
    if (!streams[operation.operationId])
      throw new Error(`Describe ${operation.operationId} in method-names.ts.`);
    return 'stream';
  }
  return undefined;
}

function pagingOf(query: Parameter[], response: Schema | undefined): Method['paging'] {
  const fields = response?.properties ?? {};
  const pagination = fields['pagination']?.$ref?.split('/').at(-1);
  const [field] = Object.keys(fields).filter((name) => fields[name]!.type === 'array');
  if (field === undefined) return undefined;
  const item = fields[field]!.items!;
  if (pagination === 'CursorPagination') return { kind: 'byCursor', field, item };
  if (pagination === 'PagePagination') return { kind: 'byPage', field, item };
  return query.some(({ name }) => name === 'offset') ? { kind: 'byOffset', field, item } : undefined;
}
