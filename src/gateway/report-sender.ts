import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

/**
 * The delays grow for half a minute, then stay at 30 s: about five minutes in total, enough for a restart of the API.
 */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, ...Array<number>(9).fill(30_000)];
/** The pause after a failed connection attempt, however many reports wait. */
const REST_AFTER_FAILED_CONNECTION_MS = 250;
const ANSWER_TIMEOUT_MS = 10_000;

export type ReportSenderOptions = {
  /** The only origin to which connections are made. */
  origin: string;
  /** The maximum number of concurrent callbacks. */
  connections: number;
  /** The delays before the second, third, … attempt. After the last attempt the report is lost. */
  retryDelaysMs?: readonly number[];
};

export type ReportSender = {
  /**
   * Sends the callback until the response is 2xx or all attempts are used.
   *
   * @param path path and query
   * @returns whether the response was 2xx
   */
  send(path: string): Promise<boolean>;
  /** Ends the callbacks in progress. Waiting reports are dropped and their promises never settle. */
  stop(): Promise<void>;
};

type WaitingReport = {
  path: string;
  failures: number;
  complete: (delivered: boolean) => void;
  next: WaitingReport | undefined;
};

/**
 * Sends delivery reports over keep-alive connections, a limited number at a time, in order of arrival. Kannel stops
 * after `http-request-retry` retries, which is 0 by default; this sender retries.
 */
export function createReportSender(options: ReportSenderOptions): ReportSender {
  const retryDelaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const pool = new Pool(options.origin, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });
  const retryTimers = new Set<NodeJS.Timeout>();
  // A linked list: under load a hundred thousand reports wait, and Array.shift would move all of them.
  let first: WaitingReport | undefined;
  let last: WaitingReport | undefined;
  let lanes = 0;
  let stopped = false;

  function enqueue(report: WaitingReport): void {
    if (stopped) return;
    report.next = undefined;
    if (last === undefined) first = report;
    else last.next = report;
    last = report;
    if (lanes < options.connections) void runLane();
  }

  function dequeue(): WaitingReport | undefined {
    if (stopped) return undefined;
    const report = first;
    first = report?.next;
    if (first === undefined) last = undefined;
    return report;
  }

  async function runLane(): Promise<void> {
    lanes++;
    for (let report = dequeue(); report !== undefined; report = dequeue()) {
      const status = await callBack(pool, report.path);
      if (status !== undefined && status >= 200 && status < 300) report.complete(true);
      else retryLater(report);
      if (status === undefined) await sleep(REST_AFTER_FAILED_CONNECTION_MS);
    }
    lanes--;
  }

  function retryLater(report: WaitingReport): void {
    const delayMs = retryDelaysMs[report.failures++];
    if (delayMs === undefined) return report.complete(false);
    const timer = setTimeout(() => {
      retryTimers.delete(timer);
      enqueue(report);
    }, delayMs);
    retryTimers.add(timer);
  }

  return {
    send: (path) => new Promise((complete) => enqueue({ path, failures: 0, complete, next: undefined })),
    async stop() {
      stopped = true;
      for (const timer of retryTimers) clearTimeout(timer);
      await pool.destroy();
    },
  };
}

/** Returns the status of the response, or undefined if there was none. The body is discarded. */
function callBack(pool: Pool, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let status: number | undefined;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd: () => resolve(status),
      onResponseError: () => resolve(undefined),
    };
    pool.dispatch({ method: 'GET', path }, handler);
  });
}
