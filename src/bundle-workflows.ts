import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

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
