import type { Database } from '../database.ts';
import { metrics } from '../metrics.ts';
import type { Measure } from './serve-operations.ts';

/** What node-postgres' pool tells about itself. */
interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Measures the connections of the pool. */
export function measurePool(database: Database): Measure {
  return async () => {
    const connection = database.em.getConnection() as unknown as {
      getNativeClient: () => Promise<PoolCounts>;
    };
    const { totalCount, idleCount, waitingCount } = await connection.getNativeClient();
    metrics.databaseConnections.set({ state: 'used' }, totalCount - idleCount);
    metrics.databaseConnections.set({ state: 'idle' }, idleCount);
    metrics.databaseConnections.set({ state: 'waiting' }, waitingCount);
  };
}
