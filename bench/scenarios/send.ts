import { perSecond } from '../load.ts';
import { parts } from '../service.ts';
import { costOf, readUsage } from '../usage.ts';
import { measureBareServer, measureGatewayLoop, type UsableGateway } from '../yardsticks.ts';
import { postMessages, waitForStatus, type Bench, type Figure } from './scenario.ts';

/** Without the simulator, which stands for the gateway. */
const serviceParts = parts.filter((part) => part !== 'simulator');

/**
 * Sends messages and waits until each is delivered: POST, PostgreSQL, Temporal, the gateway, and its two reports. The
 * same run measures how fast messages are accepted meanwhile, and what one message costs.
 */
export async function sendRound(
  bench: Bench,
  options: {
    through: 'Kannel' | 'the simulator';
    apiKey: string;
    startGateway: (callbackBaseUrl: string) => Promise<UsableGateway>;
  },
): Promise<Figure[]> {
  const { service, database, operations } = bench;
  const { through, apiKey, startGateway } = options;
  const gatewayLoop = await measureGatewayLoop(startGateway, operations);
  const { insertsPerSecond } = await measureBareServer(service.demo.databaseUrl, operations);
  const before = await readUsage(service, database);
  const startedAt = performance.now();
  const ids = await postMessages(bench, operations, { apiKey, to: '0911234567' });
  const acceptedPerSecond = perSecond(operations, startedAt);
  await waitForStatus(bench, ids, 'delivered');
  const deliveredPerSecond = perSecond(operations, startedAt);
  const { cpuMicroseconds, walBytes } = costOf(operations, before, await readUsage(service, database));
  const cpu = (part: string, value: number): Figure => ({
    ...{ name: `${part}: CPU a message, through ${through}`, unit: 'µs', value },
  });
  return [
    { name: `delivered through ${through}`, unit: '/s', value: deliveredPerSecond, yardstick: gatewayLoop },
    {
      name: `accepted beside sending through ${through}`,
      unit: '/s',
      value: acceptedPerSecond,
      yardstick: insertsPerSecond,
    },
    cpu(
      'the service',
      serviceParts.reduce((sum, part) => sum + cpuMicroseconds[part], 0),
    ),
    ...parts
      .filter((part) => service.processIds(part).length > 0)
      .map((part) => cpu(part, cpuMicroseconds[part])),
    { name: `WAL a message, through ${through}`, unit: 'bytes', value: walBytes },
  ];
}
