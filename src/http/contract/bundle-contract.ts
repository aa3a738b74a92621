import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { parse } from 'yaml';

const rootFile = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));

/** The encodings of every request body (specification, introduction); the files describe the JSON only. */
const bodyEncodings = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

const methods = ['get', 'post', 'put', 'patch', 'delete'];

type Part = Pick<OpenAPIV3.DocumentV3, 'paths' | 'components'> & { webhooks?: object };
type Response = { $ref?: string; description?: string; content?: object };
type RequestBody = { content: Record<string, { schema?: object }> };
type Operation = {
  parameters?: object[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
} & Record<string, unknown>;

/**
 * Reads the contract as one document: `openapi.yaml` names every path and the file in `openapi/` that describes it.
 *
 * Adds the parts that are common to all operations: the three encodings of a body, and the error responses that every
 * operation can return.
 *
 * @throws Error when a file describes a path that the root does not name, or two files define the same component
 */
export function bundleContract(): OpenAPIV3.DocumentV3 {
  const document = parse(readFileSync(rootFile, 'utf8')) as OpenAPIV3.DocumentV3 & { webhooks?: object };
  const files = new Set<string>(['openapi/common.yaml']);
  for (const [path, item] of Object.entries(document.paths)) {
    const [file = '', pointer] = ((item as { $ref?: string }).$ref ?? '').split('#');
    if (pointer !== `/paths/${path.replaceAll('/', '~1')}`) {
      throw new Error(`openapi.yaml must name the file that describes ${path}, and the same path in it.`);
    }
    files.add(file);
  }
  document.components = {};
  const named = new Set(Object.keys(document.paths));
  for (const file of files) {
    const part = readPart(file);
    for (const path of Object.keys(part.paths ?? {})) {
      if (!named.has(path)) throw new Error(`${file} describes ${path}, which openapi.yaml does not name.`);
    }
    Object.assign(document.paths, part.paths);
    if (part.webhooks) document.webhooks = part.webhooks;
    addComponents(document.components, part.components ?? {}, file);
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = (item as Record<string, Operation | undefined>)[method];
      if (operation) completeOperation(operation, path);
    }
  }
  return document;
}

/** Reads a file of `openapi/`, with its references to other files turned into references within the whole. */
function readPart(file: string): Part {
  const text = readFileSync(join(dirname(rootFile), file), 'utf8');
  return parse(text.replace(/(\$ref: ')\.\/[a-z-]+\.yaml#/g, '$1#')) as Part;
}

function addComponents(all: object, added: object, file: string): void {
  const sections = all as Record<string, Record<string, unknown>>;
  for (const [section, components] of Object.entries(added as typeof sections)) {
    const target = (sections[section] ??= {});
    for (const [name, component] of Object.entries(components)) {
      if (name in target)
        throw new Error(`${file} defines ${section}/${name}, which another file defines too.`);
      target[name] = component;
    }
  }
}

const problem = { $ref: '#/components/responses/Problem' };
const notWhileImpersonating = { $ref: '#/components/responses/NotWhileImpersonating' };
const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

function completeOperation(operation: Operation, path: string): void {
  const { requestBody, responses } = operation;
  if (requestBody) {
    const { 'application/json': json } = requestBody.content;
    for (const encoding of bodyEncodings) requestBody.content[encoding] ??= { schema: json?.schema };
  }
  for (const [status, response] of Object.entries(responses)) {
    if (/^[45]/.test(status) && !response.$ref) response.content ??= problemContent;
  }
  if (operation['x-while-impersonating'] === 'refused') responses['403'] ??= notWhileImpersonating;
  const isPublic = operation['x-permission'] === 'public';
  const isAddressed = path.includes('{') || (operation.parameters ?? []).length > 0 || requestBody;
  const statuses = [
    '400',
    ...(isPublic ? [] : ['401', '403']),
    ...(isAddressed ? ['404'] : []),
    ...(requestBody ? ['413', '415'] : []),
    '429',
    '503',
    'default',
  ];
  for (const status of statuses) responses[status] ??= problem;
}
