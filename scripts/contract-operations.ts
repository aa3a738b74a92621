import { bundleContract } from '../src/http/contract/bundle-contract.ts';
import type { Schema } from './schema-types.ts';

/** A parameter of an operation. */
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

/** A response, with the schema of its body in each content type. */
export interface ContractResponse {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

/** An operation of the contract, with its path and method. */
export interface Operation {
  path: string;
  method: string;
  operationId: string;
  summary: string;
  deprecated?: boolean;
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, ContractResponse>;
  'x-permission': string;
  'x-file-limit'?: number;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, ContractResponse>;
  };
}

/** Reads the operations of the contract, with their parameters in place, and its schemas. */
export function readContract(): { operations: Operation[]; schemas: Record<string, Schema> } {
  const { paths, components } = bundleContract() as unknown as Document;
  const find = <Part extends { $ref?: string }>(part: Part, among: Record<string, Part>): Part =>
    part.$ref === undefined ? part : among[part.$ref.split('/').at(-1)!]!;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, part]) => part.operationId !== undefined)
      .map(([method, operation]) => ({
        ...operation,
        path,
        method: method.toUpperCase(),
        parameters: (operation.parameters ?? []).map((parameter) => find(parameter, components.parameters)),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status,
            find(response, components.responses),
          ]),
        ),
      })),
  );
  return { operations, schemas: components.schemas };
}
