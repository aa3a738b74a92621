import { sql, type RawBuilder } from 'kysely';
import { Client, type QueryArrayConfig, type QueryConfig } from 'pg';

const opening = '/* prepared: ';

/**
 * The first thing in a statement that each connection prepares: PostgreSQL then parses it once, and plans it once or a few times,
 * and later executions send only its name and values. The name also shows in pg_stat_activity.
 *
 * It is for the statements of hot paths whose plan does not depend on the values: they find rows by ids. A list with
 * filters is not among them, because the best index for it depends on the values.
 */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`${opening}${name} */`);
}

/**
 * The names of the statements in this process, by their texts. A statement may have several texts, for example with and
 * without an optional part. Texts come from the code, so there are few.
 */
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  if (!text.startsWith(opening)) return undefined;
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${text.slice(opening.length, text.indexOf(' */'))}_${names.size}`;
  names.set(text, name);
  return name;
}

type Release = (error?: Error | boolean) => void;

/**
 * A connection of the pool. It executes statements that begin with `prepared` under their names, and it leaves the pool
 * when it ends.
 *
 * Kysely gives a connection back only after `begin`, `commit` or `rollback` has succeeded (`startTransaction`, which
 * MikroORM uses). If PostgreSQL ends the connection, none of them does, and the pool would count the connection as in use
 * forever: a process whose ten connections were lost in this way would answer nothing until it is restarted.
 */
export class PreparingClient extends Client {
  #release: Release | undefined;

  constructor(...options: ConstructorParameters<typeof Client>) {
    super(...options);
    this.once('end', () => this.#release?.(true));
  }

  /** The pool sets it whenever it lends the connection. It may be called again, because the holder may call it later. */
  set release(giveBack: Release) {
    let isGivenBack = false;
    this.#release = (error) => {
      if (isGivenBack) return;
      isGivenBack = true;
      giveBack(error);
    };
  }

  get release(): Release | undefined {
    return this.#release;
  }

  // pg has many overloads of this method. Kysely and MikroORM use the one with a text and its values.
  override query(query: string | QueryConfig | QueryArrayConfig, ...rest: unknown[]): never {
    const name = typeof query === 'string' ? nameOf(query) : undefined;
    const given = name === undefined ? query : { name, text: query };
    return (super.query as (...values: unknown[]) => unknown).call(this, given, ...rest) as never;
  }
}
