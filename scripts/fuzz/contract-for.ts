import type { Contract, Operation } from '../../src/http/contract/contract.ts';
import { concerns, whyExcluded, type CallerName } from './callers.ts';
import type { KnownIds } from './make-things.ts';

type Json = Record<string, unknown>;

/** What one caller sends: the contract with only its operations, and with ids that exist. */
export interface CallerContract {
  document: Json;
  operations: Operation[];
  excluded: { operation: Operation; reason: string }[];
}

/**
 * The contract for one caller. `contract` is not changed.
 *
 * @param known.ids the ids of things that exist
 * @param known.gatewayToken the secret of the gateway's callbacks, which need no other credential
 */
export function contractFor(
  caller: CallerName,
  contract: Contract,
  known: { ids: KnownIds; gatewayToken: string },
): CallerContract {
  const document = structuredClone(contract.document) as unknown as Json & {
    paths: Record<string, Json>;
    webhooks?: unknown;
  };
  delete document.webhooks;
  const result: CallerContract = { document, operations: [], excluded: [] };
  for (const operation of contract.operations) {
    if (!concerns(caller, operation)) {
      remove(document.paths, operation);
      continue;
    }
    const reason = whyExcluded(caller, operation.operationId);
    if (reason === undefined) result.operations.push(operation);
    else {
      result.excluded.push({ operation, reason });
      remove(document.paths, operation);
    }
  }
  fillIn(document, known.ids);
  for (const [path, item] of Object.entries(document.paths))
    if (path.startsWith('/api/v1/gateway/')) fillIn(item, { token: [known.gatewayToken] });
  return result;
}

function remove(paths: Record<string, Json>, { path, method }: Operation): void {
  const item = paths[path]!;
  delete item[method.toLowerCase()];
  if (!['get', 'put', 'post', 'patch', 'delete'].some((other) => other in item)) delete paths[path];
}

/**
 * Puts ids that exist in place of those that the contract lets a request choose freely: parameters by their name, and
 * fields of bodies. A field of a request is a string of up to 100 characters; the same field of a response is a UUID,
 * and stays.
 */
function fillIn(node: unknown, ids: KnownIds): void {
  if (Array.isArray(node)) {
    node.forEach((inner) => fillIn(inner, ids));
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const object = node as Json;
  const { name } = object;
  if (typeof name === 'string' && 'in' in object && ids[name]) object['schema'] = oneOf(ids[name]);
  if (typeof object['properties'] === 'object') fillInProperties(object['properties'] as Json, ids);
  if (typeof object['example'] === 'object' && object['example'] !== null) {
    for (const [field, known] of Object.entries(ids)) {
      const example = object['example'] as Json;
      if (typeof example[field] === 'string') example[field] = known[0];
      else if (Array.isArray(example[field])) example[field] = known.slice(0, 1);
    }
  }
  for (const inner of Object.values(object)) fillIn(inner, ids);
}

function fillInProperties(properties: Json, ids: KnownIds): void {
  for (const [field, known] of Object.entries(ids)) {
    const schema = properties[field] as { maxLength?: number; items?: { maxLength?: number } } | undefined;
    if (schema?.maxLength === 100) properties[field] = oneOf(known);
    else if (schema?.items?.maxLength === 100) schema.items = oneOf(known) as never;
  }
}

function oneOf(known: string[]): Json {
  return { type: 'string', enum: known };
}
