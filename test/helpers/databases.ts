import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Database } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { grantRoles, type processRoles } from '../../src/operations/grant-roles.ts';
import { until } from './until.ts';

export const templateDatabase = 'sms_template';

/** The URL of a database on the server of this test run. */
export function withDatabase(name: string): string {
  const url = new URL(process.env['TEST_POSTGRES_URL']!);
  url.pathname = `/${name}`;
  return url.href;
}

export async function runAsAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Drops a database and ends its connections. While an autovacuum worker is connected, PostgreSQL allows this only to
 * superusers; the worker leaves by itself.
 */
async function dropDatabase(name: string): Promise<void> {
  await until('the database to be left', async () => {
    try {
      await runAsAdmin(`drop database ${name} with (force)`);
      return true;
    } catch (error) {
      if (/permission denied to terminate process/.test(String(error))) return false;
      throw error;
    }
  });
}

export interface TestDatabase {
  url: string;
  database: Database;
  /** Runs a statement and returns its rows, to inspect what is stored. */
  query: <Row>(statement: string, parameters?: unknown[]) => Promise<Row[]>;
  drop: () => Promise<void>;
}

/**
 * Creates a database for one test file: a clone of the migrated template, so that files can run in parallel.
 *
 * @param template PostgreSQL's `template0` for a database without tables
 */
export async function createTestDatabase(template = templateDatabase): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name} template ${template}`);
  const url = withDatabase(name);
  const database = await openDatabase({ url, poolSize: 10 });
  return {
    url,
    database,
    query: (statement, parameters = []) => database.em.fork().execute(statement, parameters) as never,
    drop: async () => {
      await database.close();
      await dropDatabase(name);
    },
  };
}

/**
 * Opens a test database as a user who may do only what a process may (`npm run migrate -- --roles`).
 *
 * @returns the database, and the function that closes it and removes the user
 */
export async function openAs(
  { database: owned, url }: TestDatabase,
  role: (typeof processRoles)[number],
): Promise<{ database: Database; close: () => Promise<void> }> {
  await grantRoles(owned);
  const user = `test_${randomUUID().replaceAll('-', '')}`;
  const restricted = new URL(url);
  await runAsAdmin(`create role ${user} login password 'x' in role ${role}`);
  // Tests look in pg_stat_activity for statements that wait. PostgreSQL shows those of others to their members only.
  await runAsAdmin(`grant ${user} to ${restricted.username}`);
  [restricted.username, restricted.password] = [user, 'x'];
  const database = await openDatabase({ url: restricted.href, poolSize: 10 });
  return {
    database,
    close: async () => {
      await database.close();
      await runAsAdmin(`drop role ${user}`);
    },
  };
}
