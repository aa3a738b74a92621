import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { ContactImport } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { countCsvRows } from '../count-csv-rows.ts';
import type { Context } from '../context.ts';
import { columns } from '../output.ts';
import { pause } from '../pause.ts';
import { createProgress } from '../progress.ts';
import { countOf } from '../show-message.ts';

/** How many errors are shown. The rejects have all of them. */
const shownErrors = 10;

export const importContacts = defineCommand({
  name: 'contacts import',
  summary: 'Imports contacts from a CSV file.',
  description: [
    'The first line names the columns: phoneNumber, firstName, lastName, email, company, tags. Every other column is a ' +
      'custom field. A row whose number the organization already has updates that contact.',
    'The command fails if rows were rejected; the others are imported nevertheless.',
  ],
  arguments: [{ name: 'FILE', description: 'The file, in UTF-8; - reads standard input.', isFile: true }],
  examples: ['sms contacts import contacts.csv'],
  run: async (context, { args: [file = ''] }) => {
    const { output, signal } = context;
    const bytes = Buffer.from(file === '-' ? await buffer(process.stdin) : await readFile(file));
    const organizationId = await context.requireOrganizationId();
    const progress = createProgress(output);
    const total = countCsvRows(bytes);
    progress.show({ done: 0, total, label: `0 of ${countOf(total, 'row')}` });
    let current = await context.client().contacts.import({ organizationId, file: bytes }, { signal });
    while (current.status === 'processing') {
      showProgress(current);
      await pause(300, signal);
      current = await context.client().contacts.getImport(current.id, { organizationId }, { signal });
    }
    showProgress(current);
    progress.end();
    showSummary(context, current);
    return current.status === 'completed' && current.rejected === 0;

    function showProgress({ imported, updated, skipped, rejected }: ContactImport): void {
      const done = imported + updated + skipped + rejected;
      const label = `${done.toLocaleString('en')} of ${countOf(Math.max(done, total), 'row')}`;
      progress.show({ done, total, label });
    }
  },
});

function showSummary({ output }: Context, result: ContactImport): void {
  output.result(result, () => [
    ...columns([
      ['import', result.id],
      ['status', result.status],
      ...(['imported', 'updated', 'skipped', 'rejected'] as const).map((name) => [
        name,
        result[name].toLocaleString('en'),
      ]),
      ...(result.failure === null ? [] : [['failure', result.failure.message]]),
    ]),
    ...result.errors
      .slice(0, shownErrors)
      .map(({ line, column, code, message }) =>
        output.paint('yellow', `line ${line}${column === null ? '' : `, ${column}`}: ${message} (${code})`),
      ),
    ...(result.errors.length > shownErrors ? ['… and more.'] : []),
    ...(result.rejected > 0
      ? [`\`sms contacts rejects ${result.id}\` prints the rejected rows, to be corrected.`]
      : []),
  ]);
}
