import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { taskQueues, type ContactImportInput } from './contract.ts';

const { importPages } = proxyActivities<Activities>({
  taskQueue: taskQueues.imports,
  heartbeatTimeout: '30 seconds',
  startToCloseTimeout: '30 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

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
