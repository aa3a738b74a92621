import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayReport } from '../evidence.ts';
import type { ReportFault } from '../plan.ts';

/** Passes delivery reports on from the gateway to the API processes, late, twice, in another order, or not at all. */
export interface ReportRelay {
  setFault: (fault: ReportFault, isActive: boolean) => void;
  /** Every report that the gateway made. */
  reports: GatewayReport[];
  /** The reports that no API process has answered yet. */
  countWaiting: () => number;
  stop: () => Promise<void>;
}

const retryMs = 500;
const answerTimeoutMs = 5000;

/**
 * Starts the relay. It answers the gateway at once, as a store-and-forward gateway does, and repeats a report until an API
 * process answers it. Without a fault, the reports of a message arrive in their order, and each API process gets half of
 * them.
 */
export async function createReportRelay(port: number, apiPorts: number[]): Promise<ReportRelay> {
  const faults = new Set<ReportFault>();
  const reports: GatewayReport[] = [];
  const previous = new Map<string, Promise<void>>();
  let [waiting, next, stopped] = [0, 0, false];

  const deliver = async (path: string, report: GatewayReport): Promise<void> => {
    waiting += 1;
    while (!stopped) {
      next += 1;
      const status = await callBack(apiPorts[next % apiPorts.length]!, path);
      if (status !== null && status < 500) {
        report.answers.push(status);
        break;
      }
      await sleep(retryMs);
    }
    waiting -= 1;
  };

  const take = (path: string): void => {
    const query = new URLSearchParams(path.split('?')[1]);
    const messageId = query.get('messageId') ?? '';
    const report: GatewayReport = { messageId, type: Number(query.get('status')), lost: false, answers: [] };
    reports.push(report);
    if (faults.has('lost')) {
      report.lost = true;
      return;
    }
    if (faults.has('twice')) void deliver(path, report);
    const delayMs = faults.has('late') ? 1000 + Math.random() * 3000 : 0;
    if (faults.has('shuffled')) {
      void sleep(Math.random() * 2000).then(() => deliver(path, report));
      return;
    }
    const before = previous.get(messageId) ?? Promise.resolve();
    previous.set(
      messageId,
      before.then(() => sleep(delayMs)).then(() => deliver(path, report)),
    );
  };

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const isReport = path.startsWith('/api/v1/gateway/dlr');
    if (isReport) take(path);
    response.writeHead(isReport ? 200 : 404).end();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    setFault: (fault, isActive) => void (isActive ? faults.add(fault) : faults.delete(fault)),
    reports,
    countWaiting: () => waiting,
    stop: async () => {
      stopped = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The status of the answer; null without one. */
async function callBack(apiPort: number, path: string): Promise<number | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${apiPort}${path}`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
