import { perSecond } from '../load.ts';
import { costOf, readUsage } from '../usage.ts';
import { measureBareServer } from '../yardsticks.ts';
import { postMessages, waitForStatus, type Bench, type Figure } from './scenario.ts';

/** Accepts messages while the worker is stopped, then lets it deliver them. */
export async function acceptRound(bench: Bench): Promise<Figure[]> {
  const { service, database, operations } = bench;
  const { insertsPerSecond } = await measureBareServer(service.demo.databaseUrl, operations);
  const worker = service.processId('worker')!;
  process.kill(worker, 'SIGSTOP');
  try {
    const before = await readUsage(service, database);
    const startedAt = performance.now();
    const ids = await postMessages(bench, operations, { apiKey: service.demo.testApiKey, to: '0911234567' });
    const value = perSecond(operations, startedAt);
    const { cpuMicroseconds } = costOf(operations, before, await readUsage(service, database));
    process.kill(worker, 'SIGCONT');
    await waitForStatus(bench, ids, 'delivered');
    return [
      { name: 'accepted, workers stopped', unit: '/s', value, yardstick: insertsPerSecond },
      { name: 'api: CPU a message accepted', unit: 'µs', value: cpuMicroseconds.api },
    ];
  } finally {
    process.kill(worker, 'SIGCONT');
  }
}
