import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../database.ts';

const waiting = new AsyncLocalStorage<(() => void)[]>();

/**
 * Makes one transaction of everything `work` does through better-auth, through `sqlOf` and through the entity
 * manager it is given: what better-auth changes and what we add to it are stored together or not at all.
 * Whatever `work` throws undoes it, so it throws what it refuses.
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

/** Does what cannot be undone, such as mailing, once the transaction around it is stored; at once if there is none. */
export function afterCommit(action: () => void): void {
  const actions = waiting.getStore();
  if (actions) actions.push(action);
  else action();
}
