import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { jsonLine } from '../output.ts';

const output = {
  output: { type: 'string', short: 'o', value: 'FILE', description: 'Write to this file.', isFile: true },
} as const;

export const exportContacts = defineCommand({
  name: 'contacts export',
  summary: 'Prints contacts as CSV, oldest first.',
  description: ['The file can be imported again. With --json, each contact is one line, newest first.'],
  options: {
    search: { type: 'string', value: 'TEXT', description: 'Only contacts that have this in a field.' },
    ...output,
  },
  examples: ['sms contacts export -o contacts.csv', 'sms contacts export --json | jq -r .phoneNumber'],
  run: async (context, { options }) => {
    const { signal } = context;
    const { contacts } = context.client();
    const query = { search: options.search, organizationId: context.organizationId() };
    if (context.output.isJson) {
      const list = contacts.list({ ...query, limit: 200 }, { signal });
      await write(toLines(list), options.output, signal);
    } else await write(await contacts.export(query, { signal }), options.output, signal);
  },
});

export const downloadRejects = defineCommand({
  name: 'contacts rejects',
  summary: 'Prints the rejected rows of an import as CSV, with the reasons.',
  description: ['Once the values are corrected, the file can be imported again as it is.'],
  arguments: [{ name: 'ID', description: 'The id of the import.' }],
  options: output,
  examples: ['sms contacts rejects 019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b13 -o rejects.csv'],
  run: async (context, { options, args: [id = ''] }) => {
    const { signal } = context;
    const query = { organizationId: context.organizationId() };
    await write(
      await context.client().contacts.downloadImportRejects(id, query, { signal }),
      options.output,
      signal,
    );
  },
});

async function* toLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${jsonLine(item)}\n`;
}

async function write(
  source: Download | AsyncIterable<string>,
  file: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const readable = Readable.from(source);
  if (file !== undefined) await pipeline(readable, createWriteStream(file), { signal });
  else await pipeline(readable, process.stdout, { signal, end: false });
}
