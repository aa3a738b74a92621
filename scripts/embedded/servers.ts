import { join } from 'node:path';
import type { SearchAttributes } from './ask-temporal.ts';
import { keepRunning, type KeepRunningOptions } from './keep-running.ts';
import { startPostgres } from './postgres.ts';
import type { StartSettings } from './settings.ts';
import { findTemporal, startTemporal } from './temporal.ts';

/** The search attributes of the workflows (workflows/contract.ts). */
export const searchAttributes = {
  OrganizationIds: 'KeywordList',
  Kind: 'Keyword',
} satisfies SearchAttributes;

/** One run of `npm start`, as its servers see it. */
export interface Run {
  settings: StartSettings;
  /** The project's `.cache`. */
  cacheDir: string;
  /** The ports of the servers by their names. */
  ports: Record<string, number>;
  /** Prints a line of `npm start` itself. */
  say: (line: string) => void;
  /** Prints a line of a part. */
  print: (name: string, line: string) => void;
  supervision: (name: string) => Omit<KeepRunningOptions, 'start'>;
  /** The file that records the process of a part. */
  recordFile: (name: string) => string;
}

/**
 * Starts a PostgreSQL server and keeps it running.
 *
 * @param options.name of the server, of its port, and of its directory in DATA_DIR
 * @returns its URL
 */
export async function startEmbeddedPostgres(
  run: Run,
  options: { name: string; settings?: Record<string, string> },
): Promise<string> {
  const { name, settings = {} } = options;
  const { dataDir } = run.settings;
  let url = '';
  await keepRunning({
    ...run.supervision(name),
    start: async () => {
      const postgres = await startPostgres({
        dataDir: join(dataDir, name),
        closedParent: dataDir,
        port: run.ports[name]!,
        settings,
        recordFile: run.recordFile(name),
        log: (line) => run.print(name, line),
      });
      url = postgres.url;
      return postgres;
    },
  });
  return url;
}

/** Starts Temporal's development server and keeps it running. */
export async function startEmbeddedTemporal(run: Run): Promise<{ address: string; uiUrl: string }> {
  const { dataDir, temporalNamespace } = run.settings;
  const executable = await findTemporal({ cacheDir: run.cacheDir, progress: run.say });
  let addresses = { address: '', uiUrl: '' };
  await keepRunning({
    ...run.supervision('temporal'),
    start: async () => {
      const temporal = await startTemporal({
        executable,
        databaseFile: join(dataDir, 'temporal', 'temporal.db'),
        port: run.ports['temporal']!,
        uiPort: run.ports['temporalUi']!,
        namespace: temporalNamespace,
        searchAttributes,
        recordFile: run.recordFile('temporal'),
        log: (line) => run.print('temporal', line),
      });
      addresses = temporal;
      return temporal;
    },
  });
  return addresses;
}
