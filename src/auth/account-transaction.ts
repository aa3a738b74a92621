import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../database.ts';

const waiting = new AsyncLocalStorage<(() => void)[]>();

/**
 * Runs everything that `work` does through better-auth, through `sqlOf` and through the given entity manager in one
 * transaction: the changes of better-auth and of the service are stored together or not at all. An error thrown by
 * `work` rolls the transaction back, so `work` throws its refusals.
 */
export async function inAccountTransaction<T>(
  database: Database,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await waiting.run(actions, () => database.em.fork().transactional(work));
  for (const action of actions) action();
  return result;
}

/** Runs an irreversible action, such as a mail, after the surrounding transaction commits; at once if there is none. */
export function afterCommit(action: () => void): void {
  const actions = waiting.getStore();
  if (actions) actions.push(action);
  else action();
}
