import { format, resolveConfig } from 'prettier';
import { printComment, printType, type TypeStyle } from '../schema-types.ts';
import { describeMethods, type Method } from './describe-methods.ts';
import { streams } from './method-names.ts';
import { nameOfQuery, nameOfResponse } from './print-client-types.ts';

/** Prints the classes of the client's resources, with a method for each operation. */
export async function printClientResources(file: string): Promise<string> {
  const methods = describeMethods();
  const resources = [...new Set(methods.map(({ name }) => resourceOf(name)))];
  const names = createNames();
  const classes = resources.map(
    (resource) => `
export class ${classOf(resource)} extends Resource {
${methods
  .filter(({ name }) => resourceOf(name) === resource)
  .map((method) => printMethod(names, method))
  .join('\n\n')}
}`,
  );
  const text = `
// Written by npm run generate from openapi.yaml; changes made here are lost.
import type { Download } from '../download.ts';
import { path } from '../encode-request.ts';
import type { EventStream } from '../event-stream.ts';
import { byCursor, byOffset, byPage, type List } from '../list.ts';
import { Resource } from '../resource.ts';
import type { KeyedRequestOptions, RequestOptions, Transport } from '../transport.ts';
import type { ${[...names.used].toSorted().join(', ')} } from './types.ts';

${classes.join('\n')}

/** The resources of the API. */
export class Resources {
  ${resources.map((resource) => `readonly ${resource}: ${classOf(resource)};`).join('\n')}

  constructor(transport: Transport) {
    ${resources.map((resource) => `this.${resource} = new ${classOf(resource)}(transport);`).join('\n')}
  }
}
`;
  return format(text, { ...(await resolveConfig(file)), parser: 'typescript' });
}

function resourceOf(name: string): string {
  return name.split('.')[0]!;
}

function classOf(resource: string): string {
  return `${resource.replace(/^./, (first) => first.toUpperCase())}Resource`;
}

/** How methods name types: as in `types.ts`, from which they are imported. */
interface Names {
  style: TypeStyle;
  /** Takes a name that is used, and returns it. */
  use: (name: string) => string;
  used: Set<string>;
}

function createNames(): Names {
  const used = new Set<string>();
  const use = (name: string): string => {
    used.add(name);
    return name;
  };
  return { used, use, style: { reference: use, file: 'Upload', hasComments: false } };
}

function printMethod(names: Names, method: Method): string {
  const { name, operation, pathParameters, body, isBodyRequired, query, takesKey } = method;
  const isQueryRequired = query.some(({ required }) => required);
  const parameters = [
    ...pathParameters.map((parameter) => `${parameter}: string`),
    ...(body === undefined ? [] : [`body${isBodyRequired ? '' : '?'}: ${printType(names.style, body)}`]),
    ...(query.length === 0
      ? []
      : [`query: ${names.use(nameOfQuery(operation.operationId))}${isQueryRequired ? '' : ' = {}'}`]),
    `options: ${takesKey ? 'KeyedRequestOptions' : 'RequestOptions'} = {}`,
  ];
  const { type, call } = printCall(names, method);
  // An async method reports every error, also that of an id, in its promise.
  const isAsync = type.startsWith('Promise');
  return `${printDoc(method)}${isAsync ? 'async ' : ''}${name.split('.')[1]}(${parameters.join(', ')}): ${type} {
    return this.transport.${call};
  }`;
}

/** The type that a method returns, and the call of the transport that returns it. */
function printCall(names: Names, method: Method): { type: string; call: string } {
  const { operation, response, paging, kind } = method;
  const request = printRequest(method);
  if (kind === 'empty') return { type: 'Promise<void>', call: `empty(${request}, options)` };
  if (kind === 'download') return { type: 'Promise<Download>', call: `download(${request}, options)` };
  if (kind === 'stream') {
    const { event, schema, lastStatuses } = streams[operation.operationId]!;
    const isLast = lastStatuses
      ? `, isLast: ({ status }) => ${JSON.stringify(lastStatuses)}.includes(status)`
      : '';
    return {
      type: `EventStream<${names.use(schema)}>`,
      call: `stream({ event: '${event}'${isLast} }, ${request}, options)`,
    };
  }
  const page =
    response!.$ref === undefined
      ? names.use(nameOfResponse(operation.operationId))
      : printType(names.style, response!);
  if (paging === undefined) return { type: `Promise<${page}>`, call: `json(${request}, options)` };
  const { kind: by, field, item } = paging;
  const pager = by === 'byOffset' ? `byOffset((page: ${page}) => page.${field})` : `${by}<${page}>()`;
  const itemType = item.$ref === undefined ? `${page}['${field}'][number]` : printType(names.style, item);
  return { type: `List<${itemType}, ${page}>`, call: `list(${pager}, ${request}, options)` };
}

function printDoc({ operation, takesKey }: Method): string {
  const { summary, method, path } = operation;
  return printComment(
    [
      summary,
      '',
      `\`${method} ${path}\`. Callers: ${callersOf(operation['x-permission'])}.`,
      ...(takesKey ? ['Safe to repeat: it has an Idempotency-Key.'] : []),
      ...(operation.deprecated ? ['@deprecated'] : []),
    ].join('\n'),
  );
}

const callers: Record<string, string> = {
  public: 'anyone',
  session: 'a session',
  'optional-session': 'anyone',
  admin: 'the session of an administrator of the service',
  'organization:member': 'the session of a member',
  'organization:manage': 'the session of an owner or admin',
};

function callersOf(permission: string): string {
  return callers[permission] ?? `a session, or a key with the permission ${permission}`;
}

function printRequest({ operation, body, query, takesKey, isHarmless, isUpload, answers }: Method): string {
  const { method, path } = operation;
  const address = path.includes('{') ? `path\`${path.replaceAll('{', '${')}\`` : `'${path}'`;
  const members = [
    `method: '${method}'`,
    `path: ${address}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(body === undefined ? [] : ['body']),
    ...(isUpload ? ['isUpload: true'] : []),
    ...(takesKey ? ['takesKey: true'] : []),
    ...(isHarmless ? ['isHarmless: true'] : []),
    ...(answers.length > 0 ? [`answers: [${answers.join()}]`] : []),
  ];
  return `{ ${members.join(', ')} }`;
}
