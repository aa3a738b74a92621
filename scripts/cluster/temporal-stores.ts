import { Client } from 'pg';
import { runProcess } from '../embedded/managed-process.ts';

/** The databases of a Temporal server, and the schema of each as `temporal-sql-tool` names it. */
export const stores = {
  default: { database: 'temporal', schema: 'postgresql/v12/temporal' },
  visibility: { database: 'temporal_visibility', schema: 'postgresql/v12/visibility' },
} as const;

const timeoutSeconds = 120;

/** The comment of a database whose tables are complete. */
const complete = 'Temporal, complete';

/**
 * Creates the databases of a Temporal server with their tables, unless they exist. One that an interrupted start left
 * behind is created again.
 */
export async function createTemporalStores(sqlTool: string, databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const { database, schema } of Object.values(stores)) {
      const { rowCount } = await client.query(
        `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
        [database, complete],
      );
      if (rowCount === 1) continue;
      await client.query(`drop database if exists ${database} with (force)`);
      await client.query(`create database ${database}`);
      await runSqlTool(sqlTool, databaseUrl, database, ['setup-schema', '--version', '0.0']);
      await runSqlTool(sqlTool, databaseUrl, database, ['update-schema', '--schema-name', schema]);
      await client.query(`comment on database ${database} is '${complete}'`);
    }
  } finally {
    await client.end();
  }
}

/** Drops the databases of a Temporal server, as if its operator had lost them. */
export async function dropTemporalStores(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const { database } of Object.values(stores)) {
      await client.query(`drop database if exists ${database} with (force)`);
    }
  } finally {
    await client.end();
  }
}

async function runSqlTool(
  sqlTool: string,
  databaseUrl: string,
  database: string,
  command: string[],
): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const { code, tail } = await runProcess({
    name: 'temporal-sql-tool',
    command: sqlTool,
    arguments: command,
    environment: {
      ...{ SQL_PLUGIN: 'postgres12', SQL_HOST: hostname, SQL_PORT: port, SQL_DATABASE: database },
      ...{ SQL_USER: username, SQL_PASSWORD: decodeURIComponent(password) },
    },
    timeoutSeconds,
  });
  if (code !== 0) throw new Error(`temporal-sql-tool ${command.join(' ')} failed:\n${tail}`);
}
