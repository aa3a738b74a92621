import { format, resolveConfig } from 'prettier';
import { bundleContract } from '../src/http/contract/bundle-contract.ts';

/** The part of a schema that decides its type. Lengths, patterns and limits are the validator's. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** Prints the schemas of the contract, and the query and body of each operation, as the text of a TypeScript file. */
export async function printContractTypes(file: string): Promise<string> {
  const { paths, components } = bundleContract() as unknown as Document;
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item).filter((part) => part.operationId !== undefined),
  );
  const text = `
// Written by npm run generate from openapi.yaml; changes made here are lost.

/** The schemas of the contract, by name. */
export interface Schemas ${printMembers(Object.entries(components.schemas))}

/** What the operations that read a query or a body receive, by operationId. */
export interface Inputs {
  ${operations.flatMap((operation) => printInput(operation, components.parameters)).join('\n')}
}
`;
  return format(text, { ...(await resolveConfig(file)), parser: 'typescript' });
}

function printInput({ operationId, parameters = [], requestBody }: Operation, shared: object): string[] {
  const query = parameters
    .map((parameter) => resolveParameter(parameter, shared))
    .filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  const members = [
    ...(query.length > 0
      ? [
          `query: ${printMembers(
            query.map(({ name, schema }) => [name, schema]),
            query.filter(({ required }) => required).map(({ name }) => name),
          )};`,
        ]
      : []),
    ...(body ? [`body: ${printType(body)}${requestBody?.required ? '' : ' | undefined'};`] : []),
  ];
  return members.length > 0 ? [`${operationId}: { ${members.join(' ')} };`] : [];
}

function resolveParameter(parameter: Parameter, shared: object): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : (shared as Record<string, Parameter>)[name]!;
}

/** Prints members, of which those that are not in `required` are optional; without `required`, none is. */
function printMembers(members: [name: string, schema: Schema][], required?: string[]): string {
  const lines = members.map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${required && !required.includes(name) ? '?' : ''}: ${printType(schema)};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

/** Prints the type of a schema. Error: a schema that no rule here knows, because `unknown` would check nothing. */
function printType(schema: Schema): string {
  const { $ref, type, allOf, anyOf, oneOf } = schema;
  if ($ref !== undefined) return `Schemas['${$ref.split('/').at(-1)}']`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (allOf) return allOf.map((part) => `(${printType(part)})`).join(' & ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.map((part) => `(${printType(part)})`).join(' | ');
  if (type === undefined) throw new Error(`This schema has no type: ${JSON.stringify(schema)}`);
  return [type]
    .flat()
    .map((name) => printNamedType(name, schema))
    .join(' | ');
}

function printNamedType(name: string, schema: Schema): string {
  if (name === 'integer') return 'number';
  if (name === 'array') return `(${printType(schema.items!)})[]`;
  return name === 'object' ? printObject(schema) : name;
}

function printObject({ properties, required = [], additionalProperties, propertyNames }: Schema): string {
  if (properties) return printMembers(Object.entries(properties), required);
  const values = typeof additionalProperties === 'object' ? printType(additionalProperties) : 'unknown';
  return propertyNames
    ? `Partial<Record<${printType(propertyNames)}, ${values}>>`
    : `Record<string, ${values}>`;
}
