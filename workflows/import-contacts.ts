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
 * Carries the import of a file of contacts to its end. Postgres holds the file and how far it was read; an activity
 * that is interrupted leaves both as they are after its last page, and the next goes on from there.
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
