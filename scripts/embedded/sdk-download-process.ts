// node sdk-download-process.ts EXECUTABLE VERSION DIRECTORY: see sdk-download.ts. The SDK downloads an executable
// only when it starts it. A successful start also shows that the file is complete.
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';

const [executable, version, downloadDir] = process.argv.slice(2);
if (version === undefined || downloadDir === undefined)
  throw new Error('Usage: EXECUTABLE VERSION DIRECTORY');

Runtime.install({ logger: new DefaultLogger('ERROR') });
const server = { executable: { type: 'cached-download', version, downloadDir, ttl: '1 day' } } as const;
const environment =
  executable === 'temporal'
    ? await TestWorkflowEnvironment.createLocal({ server })
    : await TestWorkflowEnvironment.createTimeSkipping({ server });
await environment.teardown();
