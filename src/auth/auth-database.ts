import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
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
import { StoreTokenHashes } from './store-token-hashes.ts';

/** How a column that holds a moment is named in better-auth's tables, joined ones included. */
const momentColumn = /(?:_at|_expires)$/;

/** MikroORM's driver leaves a timestamptz as PostgreSQL writes it; better-auth compares Dates and answers them. */
const momentsAsDates: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  // oxlint-disable-next-line typescript/require-await -- the interface asks for a promise
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(withDates) }),
};

function withDates(row: UnknownRow): UnknownRow {
  const dated: UnknownRow = {};
  for (const [column, value] of Object.entries(row)) {
    dated[column] = typeof value === 'string' && momentColumn.test(column) ? new Date(value) : value;
  }
  return dated;
}

/** Where the statements of one use of better-auth's Kysely go. */
class AuthConnection implements DatabaseConnection {
  around: Sql;
  /** The transaction better-auth has begun, unless it stands in one of ours. */
  own: ControlledTransaction<unknown> | null = null;

  constructor(around: Sql) {
    this.around = around;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (this.own ?? this.around).executeQuery(query) as Promise<QueryResult<Row>>;
  }

  streamQuery(): never {
    throw new Error('better-auth reads its rows at once.');
  }
}

/**
 * Sends better-auth's statements into the transaction that runs around it (`inAccountTransaction`), or else to
 * MikroORM's pool, so that a process has one. better-auth takes one Kysely, once, so the way is chosen beneath it.
 *
 * A transaction that better-auth opens within ours is a savepoint: where a statement in it fails, it takes back
 * what it did before, and PostgreSQL refuses every statement after a failure but a rollback.
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
 * What better-auth works on. Its transactions are used (`transaction`), for a user without the account he signs
 * in with could never sign in, nor up again.
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
    plugins: [momentsAsDates, new StoreTokenHashes()],
  });
  return { db, type: 'postgres', transaction: true };
}
