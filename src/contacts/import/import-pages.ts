import type { ContactImportInput } from '../../../workflows/contract.ts';
import type { Database } from '../../database.ts';
import type { WorkContext } from '../../dispatches/process-concurrently.ts';
import { importPage, type ImportProgress } from './import-page.ts';

/** Creates the function behind `importContacts`: page after page, until the file is read or the worker is stopping. */
export function createImportPages(dependencies: {
  database: Database;
  now: () => Date;
}): (input: ContactImportInput, context: WorkContext) => Promise<ImportProgress> {
  const { database, now } = dependencies;
  return async (input, context) => {
    for (;;) {
      const progress = await importPage(database, input, now());
      context.heartbeat();
      if (progress.done || context.stopping()) return progress;
    }
  };
}
