import { readdirSync, readFileSync } from 'node:fs';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../../src/bundle-workflows.ts';
import { quietTemporal } from '../helpers/quiet-temporal.ts';

quietTemporal();

const directory = new URL('./histories/', import.meta.url);

/**
 * Workflows that run when a new version is deployed go on from their histories. A change that one of these
 * saved histories does not survive needs a patch or a version: see CONTRIBUTING.
 */
test.each(readdirSync(directory))('the workflow code replays %s', async (file) => {
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE']! } },
    readHistory(file),
  );
});

/** These began while tracing was off. They go on after an operator switches it on. */
test('the workflow code that passes trace contexts replays every history', async () => {
  const workflowBundle = await bundleWorkflows({ passTraceContext: true });
  for (const file of readdirSync(directory)) {
    await Worker.runReplayHistory({ workflowBundle }, readHistory(file));
  }
}, 120_000);

function readHistory(file: string): proto.temporal.api.history.v1.History {
  return proto.temporal.api.history.v1.History.fromObject(
    JSON.parse(readFileSync(new URL(file, directory), 'utf8')),
  );
}
