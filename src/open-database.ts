import { MikroORM } from '@mikro-orm/postgresql';
import { databaseOptions } from '../mikro-orm.config.ts';
import type { Database } from './database.ts';

/**
 * Opens the database with every entity of the service. The connection is lazy: if the database is down, the first query
 * fails, not the start of the process.
 */
export async function openDatabase(options: { url: string; poolSize: number }): Promise<Database> {
  return new MikroORM(databaseOptions(options.url, options.poolSize));
}
