import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ContactImportInput } from './contract.ts';
import { lanes } from './lanes.ts';

const { importPages } = proxyActivities<Activities>(lanes.imports);

/**
 * Processes the import of a contact file. Postgres holds the file and the position up to which it was read. An
 * interrupted activity leaves both as they were after its last page, and the next activity continues from there.
 */
export async function importContacts(input: ContactImportInput): Promise<void> {
  for (;;) {
    const { done, ...counts } = await importPages(input);
    setCurrentDetails(
      Object.entries(counts)
        .map(([name, count]) => `${name}: ${count}`)
        .join('\n\n'),
    );
    if (done) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof importContacts>(input);
  }
}
