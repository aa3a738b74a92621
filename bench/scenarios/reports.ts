import { Pool } from 'undici';
import { createDeliveryReportUrl } from '../../src/gateway/kannel.ts';
import { inParallel, parallelRequests, perSecond } from '../load.ts';
import { costOf, readUsage } from '../usage.ts';
import { measureBareServer } from '../yardsticks.ts';
import { postMessages, waitForStatus, type Bench, type Figure } from './scenario.ts';

/** The magic recipient without any report. */
export const withoutReport = '+251900000006';

/** Delivers the final report of accepted messages, as Kannel does. Each response means that the report is stored. */
export async function reportsRound(bench: Bench): Promise<Figure[]> {
  const { service, database, operations } = bench;
  const { demo } = service;
  const { updatesPerSecond } = await measureBareServer(demo.databaseUrl, operations);
  const ids = await postMessages(bench, operations, { apiKey: demo.testApiKey, to: withoutReport });
  await waitForStatus(bench, ids, 'accepted');
  const before = await readUsage(service, database);
  const startedAt = performance.now();
  await sendReports(demo, ids, 1);
  const value = perSecond(operations, startedAt);
  const { cpuMicroseconds } = costOf(operations, before, await readUsage(service, database));
  await waitForStatus(bench, ids, 'delivered');
  return [
    { name: 'reports applied', unit: '/s', value, yardstick: updatesPerSecond },
    { name: 'api: CPU a report', unit: 'µs', value: cpuMicroseconds.api },
  ];
}

/** Sends one report with Kannel's dlr type for each message. Rejects if one is not answered with 200. */
export async function sendReports(
  { baseUrl, gatewayToken }: { baseUrl: string; gatewayToken: string },
  messageIds: string[],
  type: number,
): Promise<void> {
  const reportPath = createDeliveryReportUrl({ baseUrl: '', token: gatewayToken });
  const api = new Pool(baseUrl, { connections: parallelRequests });
  await inParallel(messageIds.length, async (index) => {
    const id = messageIds[index]!;
    const path = reportPath(id).replace(/%[diFp]/g, (escape) => values(id, type)[escape]!);
    const { statusCode, body } = await api.request({ method: 'GET', path });
    await body.dump();
    if (statusCode !== 200) throw new Error(`The response to a report was ${statusCode}.`);
  });
  await api.close();
}

/** The values of Kannel's escapes in a dlr-url. */
const values = (messageId: string, type: number): Record<string, string> => ({
  '%d': String(type),
  '%i': 'bench',
  '%F': messageId,
  '%p': encodeURIComponent(withoutReport),
});
