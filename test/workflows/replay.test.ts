import { readdirSync, readFileSync } from 'node:fs';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { quietTemporal } from '../helpers/quiet-temporal.ts';

quietTemporal();

const directory = new URL('./histories/', import.meta.url);

/**
 * Workflows that run when a new version is deployed go on from their histories. A change that one of these
 * saved histories does not survive needs a patch or a version: see CONTRIBUTING.
 */
test.each(readdirSync(directory))('the workflow code replays %s', async (file) => {
  const history = proto.temporal.api.history.v1.History.fromObject(
    JSON.parse(readFileSync(new URL(file, directory), 'utf8')),
  );
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE']! } },
    history,
  );
});
