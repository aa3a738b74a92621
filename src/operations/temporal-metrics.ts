import { once } from 'node:events';
import { createServer } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';
import { request } from 'undici';

/** The metrics of Temporal's SDK: how to export them, and how to read what it exports. */
export interface TemporalMetrics {
  exporter: MetricsExporterConfig;
  /** Returns them in Prometheus' text format. */
  read: () => Promise<string>;
}

/**
 * Makes the SDK export its metrics. It serves them itself, so they are read from a loopback port and served together
 * with those of the worker.
 */
export async function openTemporalMetrics(): Promise<TemporalMetrics> {
  const bindAddress = `127.0.0.1:${await findFreePort()}`;
  return {
    exporter: {
      prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
    },
    read: async () => {
      const { body } = await request(`http://${bindAddress}/metrics`);
      return body.text();
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
