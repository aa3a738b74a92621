import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** Bundles workflows/ for the sandbox in which they run. This takes seconds, so tests do it once for all files. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    logger: new DefaultLogger('WARN'),
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  });
}
