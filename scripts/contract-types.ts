import { format, resolveConfig } from 'prettier';
import { readContract, type Operation } from './contract-operations.ts';
import { printMembers, printType, type TypeStyle } from './schema-types.ts';

const style: TypeStyle = {
  reference: (name) => `Schemas['${name}']`,
  file: 'string',
  hasComments: false,
};

/** Prints the schemas of the contract, and the query and body of each operation, as the text of a TypeScript file. */
export async function printContractTypes(file: string): Promise<string> {
  const { operations, schemas } = readContract();
  const text = `
// Written by npm run generate from openapi.yaml; changes made here are lost.

/** The schemas of the contract, by name. */
export interface Schemas ${printMembers(style, Object.entries(schemas))}

/** What the operations that read a query or a body receive, by operationId. */
export interface Inputs {
  ${operations.flatMap(printInput).join('\n')}
}
`;
  return format(text, { ...(await resolveConfig(file)), parser: 'typescript' });
}

function printInput({ operationId, parameters, requestBody }: Operation): string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  const members = [
    ...(query.length > 0
      ? [
          `query: ${printMembers(
            style,
            query.map(({ name, schema }) => [name, schema]),
            query.filter(({ required }) => required).map(({ name }) => name),
          )};`,
        ]
      : []),
    ...(body ? [`body: ${printType(style, body)}${requestBody?.required ? '' : ' | undefined'};`] : []),
  ];
  return members.length > 0 ? [`${operationId}: { ${members.join(' ')} };`] : [];
}
