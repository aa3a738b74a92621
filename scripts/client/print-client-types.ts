import { format, resolveConfig } from 'prettier';
import { errorCatalogue } from '../../src/errors.ts';
import { readContract, type Parameter } from '../contract-operations.ts';
import { printComment, printMembers, printType, type Schema, type TypeStyle } from '../schema-types.ts';
import { describeMethods, type Method } from './describe-methods.ts';

const style: TypeStyle = { reference: (name) => name, file: 'Upload', hasComments: true };

/** Prints the types of the client: the schemas of the contract, and the query and response of each method. */
export async function printClientTypes(file: string): Promise<string> {
  const { schemas } = readContract();
  const text = `
// Written by npm run generate from openapi.yaml; changes made here are lost.
import type { Upload } from '../encode-upload.ts';

/** The codes of SmsApiError that the service answers with. */
export type ErrorCode = ${Object.keys(errorCatalogue)
    .map((code) => JSON.stringify(code))
    .join(' | ')};

${Object.entries(schemas)
  .map(([name, schema]) => printDeclaration(name, schema))
  .join('\n')}
${describeMethods().flatMap(printMethodTypes).join('\n')}
`;
  return format(text, { ...(await resolveConfig(file)), parser: 'typescript' });
}

function printDeclaration(name: string, schema: Schema, comment = schema.description): string {
  const text = printType(style, schema);
  const isInterface = schema.type === 'object' && schema.properties !== undefined;
  return `${printComment(comment)}export ${isInterface ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
}

/** The types that the contract has no name for. */
function printMethodTypes({ operation, name, query, response }: Method): string[] {
  const { path, method } = operation;
  return [
    ...(query.length > 0
      ? [
          `/** The query of \`${name}\`: ${method} ${path}. */
           export interface ${nameOfQuery(operation.operationId)} ${printQuery(query)}\n`,
        ]
      : []),
    ...(response !== undefined && response.$ref === undefined
      ? [
          printDeclaration(
            nameOfResponse(operation.operationId),
            response,
            `The answer to \`${name}\`: ${method} ${path}.`,
          ),
        ]
      : []),
  ];
}

function printQuery(query: Parameter[]): string {
  return printMembers(
    style,
    query.map(({ name, schema, description }) => [name, { ...asValue(schema), description }]),
    query.filter(({ required }) => required).map(({ name }) => name),
  );
}

/** In a query, numbers and booleans are strings. The client writes them as such. */
function asValue(schema: Schema): Schema {
  if (schema.pattern?.startsWith('^0*')) return { type: 'integer' };
  return schema.enum?.join() === 'true,false' ? { type: 'boolean' } : schema;
}

/** The name of the type of an operation's query. */
export function nameOfQuery(operationId: string): string {
  return `${capitalize(operationId)}Query`;
}

/** The name of the type of an operation's response, if its schema has none. */
export function nameOfResponse(operationId: string): string {
  return `${capitalize(operationId)}Response`;
}

function capitalize(name: string): string {
  return name.replace(/^./, (first) => first.toUpperCase());
}
