import { Client, Connection } from '@temporalio/client';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRecordedProcess } from '../../scripts/embedded/process-record.mjs';
import { startTemporal, type EmbeddedTemporal } from '../../scripts/embedded/temporal.ts';

// Set by `npm test` (scripts/test.ts), which obtains the server first.
const executable = process.env.TEMPORAL_CLI ?? '';

let directory: string;
let temporal: EmbeddedTemporal | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'temporal with a space ? '));
});
afterEach(async () => {
  await temporal?.stop();
  temporal = undefined;
  rmSync(directory, { recursive: true });
}, 30_000);

async function start(): Promise<EmbeddedTemporal> {
  temporal = await startTemporal({
    executable,
    databaseFile: join(directory, 'temporal.db'),
    recordFile: join(directory, 'process'),
    namespace: 'default',
    searchAttributes: { OrganizationIds: 'KeywordList', Kind: 'Keyword', WaitingFor: 'Keyword' },
    log: () => undefined,
  });
  return temporal;
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

describe('the embedded Temporal', () => {
  it('takes a workflow with the search attributes as soon as it is started, and keeps it over kill -9', async () => {
    const first = await start();
    await withClient(first.address, (client) =>
      client.workflow.start('any', {
        workflowId: 'kept',
        taskQueue: 'none',
        searchAttributes: { OrganizationIds: ['a', 'b'], Kind: ['messages'] },
      }),
    );
    process.kill(findRecordedProcess(join(directory, 'process')) ?? 0, 'SIGKILL');
    await first.exited;
    const second = await start();
    const status = await withClient(second.address, async (client) => {
      const description = await client.workflow.getHandle('kept').describe();
      return description.status.name;
    });
    expect(status).toBe('RUNNING');
  }, 60_000);

  it('serves its Web UI', async () => {
    const { uiUrl } = await start();
    expect((await fetch(uiUrl)).status).toBe(200);
  }, 60_000);

  it('makes a file anew whose first start was cut short', async () => {
    writeFileSync(join(directory, 'temporal.db'), '');
    writeFileSync(join(directory, 'temporal.db.unfinished'), '');
    const { address } = await start();
    const count = await withClient(address, (client) => client.workflow.count());
    expect(count.count).toBe(0);
  }, 60_000);

  it('says why it did not start', async () => {
    const starting = startTemporal({
      executable: '/bin/false',
      namespace: 'default',
      searchAttributes: {},
      log: () => undefined,
    });
    await expect(starting).rejects.toThrow('Temporal did not start: it ended (exit code 1)');
  }, 60_000);
});
