import { Connection } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessExit } from './managed-process.ts';

const startTimeoutSeconds = 60;

/** The types of search attributes by their names. */
export type SearchAttributes = Record<
  string,
  'Bool' | 'Datetime' | 'Double' | 'Int' | 'Keyword' | 'KeywordList' | 'Text'
>;

/** The server ended before a client could use it. */
export class EarlyExit extends Error {
  readonly exit: ProcessExit;

  constructor(exit: ProcessExit, cause: unknown) {
    super(`it ended (exit code ${exit.code})`, { cause });
    this.exit = exit;
  }
}

/**
 * Repeats `ask` until it succeeds.
 *
 * @throws EarlyExit if the server ends meanwhile, or the last error of `ask` after a minute
 */
export async function waitUntilUsable(
  ask: () => Promise<void>,
  readExit: () => ProcessExit | undefined,
): Promise<void> {
  const giveUpAt = Date.now() + startTimeoutSeconds * 1000;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      const exit = readExit();
      if (exit !== undefined) throw new EarlyExit(exit, error);
      if (Date.now() > giveUpAt) throw error;
    }
    await delay(100);
  }
}

/** Calls a Temporal server. Rejects unless a client can start workflows in the namespace with the search attributes. */
export async function askTemporal(
  address: string,
  given: { namespace: string; searchAttributes: SearchAttributes },
): Promise<void> {
  const { namespace, searchAttributes } = given;
  await withTemporal(address, async (connection) => {
    await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.keys(searchAttributes).filter((key) => customAttributes?.[key] === undefined);
    if (missing.length > 0)
      throw new Error(`search attributes are not registered yet: ${missing.join(', ')}`);
    // This query needs visibility, the part of the server that becomes ready last.
    await connection.workflowService.countWorkflowExecutions({ namespace });
  });
}

/** Runs `use` on a connection of its own, for at most two seconds. */
export async function withTemporal(
  address: string,
  use: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 1000 });
  try {
    await connection.withDeadline(Date.now() + 2000, () => use(connection));
  } finally {
    await connection.close();
  }
}
