import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** The bundle has less than three megabytes, its source map included. */
const maxBundleBytes = 64 * 1024 * 1024;

/** Makes the process that bundles apart add the module that passes trace contexts. */
const passTraceContextFlag = '--pass-trace-context';

/**
 * Bundles workflows/ for the sandbox in which they run. This takes seconds, so tests do it once for all files.
 *
 * @param options.passTraceContext whether workflows pass the trace context of their start to their activities. It
 *   changes no command, so workflows continue with a bundle of the other kind.
 */
export function bundleWorkflows({ passTraceContext = false } = {}): Promise<WorkflowBundleWithSourceMap> {
  const pathOf = (name: string): string => fileURLToPath(new URL(`../workflows/${name}.ts`, import.meta.url));
  return bundleWorkflowCode({
    logger: new DefaultLogger('WARN'),
    workflowsPath: pathOf('index'),
    ...(passTraceContext && { workflowInterceptorModules: [pathOf('pass-trace-context')] }),
  });
}

/**
 * Does the same in a process of its own. The bundler and its compiler take 100 MB, which a worker would keep for as long
 * as it runs.
 */
export async function bundleWorkflowsApart({ passTraceContext = false } = {}): Promise<{ code: string }> {
  const program = [fileURLToPath(import.meta.url), ...(passTraceContext ? [passTraceContextFlag] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: maxBundleBytes });
  return { code: stdout };
}

if (import.meta.main) {
  const passTraceContext = process.argv.includes(passTraceContextFlag);
  process.stdout.write((await bundleWorkflows({ passTraceContext })).code);
}
