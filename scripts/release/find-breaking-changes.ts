import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Node = Record<string, unknown>;

/** What oasdiff says about one change. */
interface Change {
  text: string;
  operation?: string;
  path?: string;
}

/**
 * Finds what a client of the old contract would notice: a removed field or operation, a new required field, a stricter
 * limit, a new value of an enum that is not declared to grow.
 *
 * @param oasdiff the executable, from `findOasdiff`
 * @returns one line for each breaking change
 */
export async function findBreakingChanges(oasdiff: string, before: object, after: object): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'contracts-'));
  try {
    const files = [before, after].map((document, index) => {
      const file = join(directory, `${index}.json`);
      writeFileSync(file, JSON.stringify(toComparable(document as Node)));
      return file;
    });
    const { stdout } = await run(oasdiff, ['breaking', '--format', 'json', ...files], {
      env: { ...process.env, OASDIFF_NO_TELEMETRY: '1' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const changes = (JSON.parse(stdout || '[]') ?? []) as Change[];
    return [...new Set(changes.map(({ operation, path, text }) => `${operation} ${path}: ${text}`))];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Writes a contract in the way that oasdiff judges it as a client does:
 *
 * - Encodings of a body with the same fields are compared once.
 * - Clients read webhooks, as they read responses: a new field in one breaks nothing, a removed one does.
 * - An enum with `x-extensible: true` may get new values. oasdiff calls such a list `x-extensible-enum`.
 */
function toComparable({ webhooks = {}, ...document }: Node): object {
  const readWebhooks = Object.entries(webhooks as Record<string, { post: Node }>).map(([name, { post }]) => [
    `/webhooks/${name}`,
    {
      get: {
        operationId: `read-${name}`,
        responses: { 200: { description: name, content: (post['requestBody'] as Node)['content'] } },
      },
    },
  ]);
  const paths = { ...(document['paths'] as Node), ...Object.fromEntries(readWebhooks) };
  return JSON.parse(JSON.stringify({ ...document, paths }), (_name, node: unknown) => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
    const { 'x-extensible': isExtensible, enum: values, ...schema } = node as Node;
    if (isExtensible === true) return { ...schema, 'x-extensible-enum': values };
    return withoutRepeatedEncodings(node as Node);
  }) as object;
}

function withoutRepeatedEncodings(node: Node): Node {
  const json = JSON.stringify(node['application/json']);
  return Object.fromEntries(
    Object.entries(node).filter(
      ([type, media]) => type === 'application/json' || json === undefined || JSON.stringify(media) !== json,
    ),
  );
}
