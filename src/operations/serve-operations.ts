import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { measureProcess, metrics, registry } from '../metrics.ts';
import type { Log } from '../log.ts';
import { createReadinessCheck, toReadinessResponse, type Check } from './readiness.ts';
import { withinTime } from './within-time.ts';

/** Measures something that is too dear to measure at each event: from the database, or from other objects. */
export type Measure = () => void | Promise<void>;

/** Scrapes within this time get the same values, so that several scrapers cost no more than one. */
const freshMs = 5000;

/** How long all measures together may take. A scrape must not wait for a database that does not respond. */
const measureTimeoutMs = 3000;

/** Requests here have no body and few headers, so a caller who sends more, or sends slowly, is cut soon. */
export const operationsLimits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 3000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
} as const;

/**
 * Serves what operators and their systems read, on a port of its own that is not for the public: `/metrics` for
 * Prometheus, and `/health/live` and `/health/ready` for a supervisor. The API serves the same two on its own port.
 *
 * @param given.extraMetrics returns metrics in Prometheus' text format that come from elsewhere
 */
export async function serveOperations(given: {
  host: string;
  /** Undefined: nothing is served. */
  port: number | undefined;
  checks: readonly Check[];
  measures?: readonly Measure[];
  extraMetrics?: () => Promise<string>;
  /** Other limits than `operationsLimits`, for tests. */
  limits?: ServerOptions;
  log: Log;
}): Promise<{ stop: () => Promise<void> }> {
  const { host, port, checks, measures = [], extraMetrics, limits = operationsLimits, log } = given;
  if (port === undefined) return { stop: () => Promise.resolve() };
  measureProcess();
  const checkReadiness = createReadinessCheck(checks);
  let measuredAtMs = -freshMs;

  /** One after the other, so that they never need more than one connection, nor wait for each other. */
  async function runMeasures(): Promise<void> {
    for (const measure of measures) {
      try {
        await measure();
      } catch (error) {
        log.debug({ err: error }, 'a metric could not be measured');
      }
    }
  }

  async function collect(): Promise<string> {
    if (performance.now() - measuredAtMs >= freshMs) {
      measuredAtMs = performance.now();
      await Promise.all([
        checkReadiness().then(({ parts }) => {
          for (const [part, state] of Object.entries(parts))
            metrics.partUp.set({ part }, state === 'up' ? 1 : 0);
        }),
        withinTime(runMeasures(), measureTimeoutMs).catch((error: unknown) =>
          log.debug({ err: error }, 'measuring took too long'),
        ),
      ]);
    }
    const [own, extra] = await Promise.all([
      registry.metrics(),
      extraMetrics ? withinTime(extraMetrics(), measureTimeoutMs).catch(() => '') : '',
    ]);
    return own + extra;
  }

  const respond = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === '/metrics') {
      response.setHeader('Content-Type', registry.contentType).end(await collect());
    } else if (path === '/health/live') {
      sendJson(response, 200, { status: 'ok' });
    } else if (path === '/health/ready') {
      const { status, body } = toReadinessResponse(await checkReadiness());
      sendJson(response, status, body);
    } else {
      sendJson(response, 404, {
        title: 'Not found. This port has /metrics, /health/live and /health/ready.',
      });
    }
  };

  const server = createServer(limits, (request, response) => {
    if (!isRead(request)) {
      // The connection is closed, so that a body is not read.
      response.writeHead(405, { Allow: 'GET, HEAD', Connection: 'close' }).end();
      return;
    }
    respond(new URL(request.url ?? '/', 'http://localhost').pathname, response).catch((error: unknown) => {
      log.warn({ err: error }, 'a request of an operator failed');
      response.writeHead(500).end();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function isRead({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return (method === 'GET' || method === 'HEAD') && !hasBody;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
