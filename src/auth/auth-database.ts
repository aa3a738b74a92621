import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  sql,
  type CompiledQuery,
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  type KyselyPlugin,
  type QueryResult,
  type UnknownRow,
} from 'kysely';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { StoreTokenHashes } from './sessions/store-token-hashes.ts';

/** The names of timestamp columns in better-auth's tables, including joined tables. */
const momentColumn = /(?:_at|_expires)$/;

/** MikroORM's driver returns a timestamptz as PostgreSQL's text. better-auth compares and returns Dates. */
const momentsAsDates: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  // oxlint-disable-next-line typescript/require-await -- the interface requires a promise
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(withDates) }),
};

function withDates(row: UnknownRow): UnknownRow {
  const dated: UnknownRow = {};
  for (const [column, value] of Object.entries(row)) {
    dated[column] = typeof value === 'string' && momentColumn.test(column) ? new Date(value) : value;
  }
  return dated;
}

/** better-auth searches for the users of an empty page of members with `in ()`, which is no SQL. It is true of no row. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

/** The connection for the statements of one use of better-auth's Kysely. */
class AuthConnection implements DatabaseConnection {
  around: Sql;
  /** The transaction that better-auth has begun; null inside a transaction of the service. */
  own: ControlledTransaction<unknown> | null = null;

  constructor(around: Sql) {
    this.around = around;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (this.own ?? this.around).executeQuery(query) as Promise<QueryResult<Row>>;
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: better-auth reads all rows at once.');
  }
}

/**
 * Sends better-auth's statements to the surrounding transaction (`inAccountTransaction`), or otherwise to MikroORM's
 * pool, so that a process has only one pool. better-auth accepts one Kysely at setup, so the connection is chosen in
 * the driver.
 *
 * A transaction that better-auth opens inside a transaction of the service is a savepoint: if a statement fails,
 * better-auth rolls its earlier statements back, and after a failure PostgreSQL refuses every statement except a
 * rollback.
 */
function createDriver(database: Database): Driver {
  const nothing = () => Promise.resolve();
  const on = (connection: DatabaseConnection) => connection as AuthConnection;
  return {
    init: nothing,
    destroy: nothing,
    acquireConnection: () => Promise.resolve(new AuthConnection(sqlOf(database))),
    releaseConnection: nothing,
    beginTransaction: async (given) => {
      const connection = on(given);
      if (connection.around.isTransaction) await sql`savepoint better_auth`.execute(connection.around);
      else connection.own = await connection.around.startTransaction().execute();
    },
    commitTransaction: async (given) => {
      const { own, around } = on(given);
      if (own) await own.commit().execute();
      else await sql`release savepoint better_auth`.execute(around);
    },
    rollbackTransaction: async (given) => {
      const { own, around } = on(given);
      if (own) await own.rollback().execute();
      else await sql`rollback to savepoint better_auth`.execute(around);
    },
  };
}

/**
 * Creates the database for better-auth. Its transactions are enabled (`transaction`): a user stored without an account
 * could neither sign in nor sign up again.
 */
export function createAuthDatabase(database: Database): {
  db: Kysely<Record<string, Record<string, unknown>>>;
  type: 'postgres';
  transaction: true;
} {
  const db = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: {
      createDriver: () => createDriver(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
    plugins: [momentsAsDates, emptyLists, new StoreTokenHashes()],
  });
  return { db, type: 'postgres', transaction: true };
}
