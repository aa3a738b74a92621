import { readdirSync } from 'node:fs';
import { isGrpcServiceError, type WorkflowClient } from '@temporalio/client';
import { sql } from 'kysely';
import { isDatabaseUnreachable, sqlOf, type Database } from '../database.ts';
import { StartError } from '../process.ts';

/** gRPC's NOT_FOUND. */
const notFound = 5;

/** How long Temporal may take to answer. */
const answerMs = 5000;

/**
 * Refuses to start on a database that cannot be reached, or in which migrations are missing. A database that is newer
 * than the process is accepted: during an upgrade, processes of the previous release still run.
 *
 * @throws StartError that says what to do
 */
export async function checkDatabaseAtStart(database: Database): Promise<void> {
  const { host, pathname } = new URL(database.config.get('clientUrl') ?? 'postgresql://unknown');
  const missing = await findMissingMigrations(database).catch((error: unknown) => {
    if (!isDatabaseUnreachable(error)) throw error;
    const { code } = error as { code?: string };
    throw new StartError(
      `The database at ${host} cannot be reached (${code ?? 'no connection'}). Check that PostgreSQL runs, and DATABASE_URL.`,
    );
  });
  if (missing.length === 0) return;
  throw new StartError(
    `The database ${pathname.slice(1)} at ${host} lacks ${missing.length} migrations, the first is ${missing[0]}. ` +
      'Run `npm run migrate`.',
  );
}

async function findMissingMigrations(database: Database): Promise<string[]> {
  const directory = database.config.get('migrations').path!;
  const expected = readdirSync(directory)
    .map((file) => /^(Migration\d+\w*)\.(ts|js)$/.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .sort();
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('mikro_orm_migrations') is not null as exists
  `.execute(sqlOf(database));
  if (!tables[0]!.exists) return expected;
  const { rows } = await sql<{ name: string }>`select name from mikro_orm_migrations`.execute(
    sqlOf(database),
  );
  const executed = new Set(rows.map(({ name }) => name));
  return expected.filter((name) => !executed.has(name));
}

/**
 * Refuses to start if Temporal responds and does not have the namespace of the service: nothing would ever be sent.
 * Temporal may be down: the API accepts messages meanwhile, and the worker waits for it.
 *
 * @throws StartError that says what to do
 */
export async function checkNamespaceAtStart(workflowClient: WorkflowClient, address: string): Promise<void> {
  const { namespace } = workflowClient.options;
  try {
    await workflowClient.withDeadline(Date.now() + answerMs, () =>
      workflowClient.connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code !== notFound) return;
    throw new StartError(
      `Temporal at ${address} has no namespace ${namespace}. Create it with ` +
        `\`temporal operator namespace create --namespace ${namespace}\`, or set TEMPORAL_NAMESPACE.`,
    );
  }
}
