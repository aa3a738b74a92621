import { errorCatalogue } from '../src/errors.ts';
import { bundleContract } from '../src/http/contract/bundle-contract.ts';

export interface NamedOperation {
  method: string;
  path: string;
  summary: string;
}

interface Response {
  $ref?: string;
  description?: string;
}

interface Operation {
  summary: string;
  responses: Record<string, Response>;
}

/** The operations that return each error code: those whose error responses name it in the contract. */
export function findErrorOperations(): Map<string, NamedOperation[]> {
  const { paths, components } = bundleContract() as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { responses: Record<string, Response> };
  };
  const found = new Map<string, NamedOperation[]>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { summary, responses = {} }] of Object.entries(item)) {
      for (const code of namedCodes(responses, components.responses)) {
        found.set(code, [...(found.get(code) ?? []), { method: method.toUpperCase(), path, summary }]);
      }
    }
  }
  return found;
}

function namedCodes(responses: Record<string, Response>, shared: Record<string, Response>): Set<string> {
  const text = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([, { $ref, description }]) => shared[$ref?.split('/').at(-1) ?? '']?.description ?? description)
    .join('\n');
  const codes = [...text.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code!);
  return new Set(codes.filter((code) => Object.hasOwn(errorCatalogue, code)));
}
