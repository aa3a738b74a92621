import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import proto from '@temporalio/proto';
import {
  askTemporal,
  waitUntilUsable,
  withTemporal,
  type SearchAttributes,
} from '../embedded/ask-temporal.ts';
import { messageOf } from '../embedded/errors.ts';
import { startProcess, type ProcessExit } from '../embedded/managed-process.ts';
import { findServerPort } from '../embedded/ports.ts';
import type { TemporalServerPrograms } from './find-temporal-server.ts';
import { createTemporalStores, stores } from './temporal-stores.ts';

export interface TemporalServerOptions {
  programs: TemporalServerPrograms;
  /** The PostgreSQL server of its stores. The role may create databases. */
  databaseUrl: string;
  /** Keeps a small file of settings. */
  directory: string;
  port: number;
  namespace: string;
  searchAttributes: SearchAttributes;
  /** Fixed when the stores are created. */
  historyShards: number;
  recordFile: string;
}

export interface TemporalServer {
  /** host:port of the frontend. */
  address: string;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

const stopGraceSeconds = 15;
/** gRPC's ALREADY_EXISTS. */
const alreadyExists = 6;

/**
 * Starts the Temporal server with its four services in one process, on PostgreSQL, and waits until a client can use the
 * namespace. Its stores and the namespace are created if they are missing.
 *
 * @throws Error if it does not start
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { programs, databaseUrl, port, namespace, searchAttributes } = options;
  await createTemporalStores(programs.sqlTool, databaseUrl);
  const printed: string[] = [];
  const server = await startProcess({
    name: 'temporal',
    command: programs.server,
    arguments: ['--allow-no-auth', 'start'],
    environment: await describeServer(options),
    recordFile: options.recordFile,
    stopSignal: 'SIGINT',
    graceSeconds: stopGraceSeconds,
    onLine: (line) => {
      // With its stack, a line has thousands of characters.
      printed.push(line.slice(0, 300));
      if (printed.length > 5) printed.shift();
    },
  });
  let exit: ProcessExit | undefined;
  void server.exited.then((value) => (exit = value));
  const address = `127.0.0.1:${port}`;
  try {
    const prepare = (): Promise<void> => prepareNamespace(address, namespace, searchAttributes);
    await waitUntilUsable(prepare, () => exit);
  } catch (error) {
    await server.stop();
    throw new Error(`Temporal did not start: ${messageOf(error)}\n${printed.join('\n')}`, { cause: error });
  }
  return { address, exited: server.exited, stop: server.stop };
}

/** The variables of the server's own configuration template (`config_template_embedded.yaml`). */
async function describeServer(options: TemporalServerOptions): Promise<Record<string, string>> {
  const { databaseUrl, directory, port, historyShards } = options;
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const dynamicConfig = join(directory, 'dynamic-config.yaml');
  writeFileSync(dynamicConfig, '{}\n');
  const innerPorts = await chooseLowPorts([
    ...['FRONTEND_MEMBERSHIP_PORT', 'FRONTEND_HTTP_PORT', 'MATCHING_GRPC_PORT', 'MATCHING_MEMBERSHIP_PORT'],
    ...['HISTORY_GRPC_PORT', 'HISTORY_MEMBERSHIP_PORT', 'WORKER_GRPC_PORT', 'WORKER_MEMBERSHIP_PORT'],
  ]);
  return {
    ...{ PATH: process.env.PATH ?? '', LOG_LEVEL: 'error' },
    ...{ DB: 'postgres12', POSTGRES_SEEDS: hostname, DB_PORT: databasePort },
    ...{ POSTGRES_USER: username, POSTGRES_PWD: decodeURIComponent(password) },
    ...{ DBNAME: stores.default.database, VISIBILITY_DBNAME: stores.visibility.database },
    ...{ NUM_HISTORY_SHARDS: String(historyShards), DYNAMIC_CONFIG_FILE_PATH: dynamicConfig },
    ...{ BIND_ON_IP: '127.0.0.1', TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1' },
    FRONTEND_GRPC_PORT: String(port),
    ...innerPorts,
  };
}

/** Chooses a port for each name. The server stores its ports as `smallint`, so they must be below 32768. */
async function chooseLowPorts(names: string[]): Promise<Record<string, string>> {
  const chosen = new Set<number>();
  while (chosen.size < names.length) chosen.add(await findServerPort());
  return Object.fromEntries([...chosen].map((port, index) => [names[index]!, String(port)]));
}

/** Creates what is missing. Rejects until workflows can be started and found by the search attributes. */
async function prepareNamespace(
  address: string,
  namespace: string,
  searchAttributes: SearchAttributes,
): Promise<void> {
  await withTemporal(address, async ({ workflowService, operatorService }) => {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } })
      .catch((error: { code?: number }) => {
        if (error.code !== alreadyExists) throw error;
      });
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(searchAttributes).filter(([name]) => !(name in (customAttributes ?? {})));
    if (missing.length > 0)
      await operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, typeNumbers[type]])),
      });
    for (const name of Object.keys(searchAttributes))
      await workflowService.countWorkflowExecutions({ namespace, query: `${name} = "none"` });
  });
  await askTemporal(address, { namespace, searchAttributes });
}

const types = proto.temporal.api.enums.v1.IndexedValueType;
const typeNumbers = {
  Bool: types.INDEXED_VALUE_TYPE_BOOL,
  Datetime: types.INDEXED_VALUE_TYPE_DATETIME,
  Double: types.INDEXED_VALUE_TYPE_DOUBLE,
  Int: types.INDEXED_VALUE_TYPE_INT,
  Keyword: types.INDEXED_VALUE_TYPE_KEYWORD,
  KeywordList: types.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  Text: types.INDEXED_VALUE_TYPE_TEXT,
};
