import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** The bundle has less than three megabytes, its source map included. */
const maxBundleBytes = 64 * 1024 * 1024;

/** Bundles workflows/ for the sandbox in which they run. This takes seconds, so tests do it once for all files. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    logger: new DefaultLogger('WARN'),
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  });
}

/**
 * Does the same in a process of its own. The bundler and its compiler take 100 MB, which a worker would keep for as long
 * as it runs.
 */
export async function bundleWorkflowsApart(): Promise<{ code: string }> {
  const program = fileURLToPath(import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: maxBundleBytes });
  return { code: stdout };
}

if (import.meta.main) process.stdout.write((await bundleWorkflows()).code);
