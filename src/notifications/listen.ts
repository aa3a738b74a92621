import { Client } from 'pg';
import type { Log } from '../log.ts';

/** How PostgreSQL's list of connections names ours. */
export const listenerName = 'sms notifications';

/** Between attempts to connect: at once, then ever longer. */
const [soonestRetryMs, latestRetryMs] = [50, 3000];

/** How often a connection is tried on which nothing comes: one that is dead without saying so looks like it. */
const pulseMs = 10_000;

/** How long PostgreSQL may take for anything that is asked here. */
const timeoutMs = 5000;

/**
 * Listens on a channel of PostgreSQL (LISTEN), on a connection of its own, for as long as it takes: a connection that
 * breaks is made anew.
 *
 * @param onListening called each time that it listens from now on: what was told before was not heard
 * @param onNotice called with the payload of each notice
 */
export function listen(options: {
  url: string;
  channel: string;
  onListening: () => void;
  onNotice: (payload: string) => void;
  log: Log;
}): { stop: () => Promise<void> } {
  const { url, channel, onListening, onNotice, log } = options;
  const hangUp = (client: Client) => client.end().catch(() => undefined);
  let current: Client | null = null;
  let pulse: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = soonestRetryMs;
  let isStopped = false;

  function connect(): void {
    const client = new Client({
      connectionString: url,
      application_name: listenerName,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    current = client;
    const lost = (error?: unknown): void => {
      if (current !== client) return;
      current = null;
      clearInterval(pulse);
      void hangUp(client);
      if (isStopped) return;
      log.warn({ err: error }, 'notifications are not heard of until PostgreSQL is reached again');
      retry = setTimeout(connect, retryMs);
      retryMs = Math.min(2 * retryMs, latestRetryMs);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload }) => payload && onNotice(payload));
    void begin(client).catch(lost);
  }

  async function begin(client: Client): Promise<void> {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    if (current !== client) return;
    retryMs = soonestRetryMs;
    // A query that is not answered is an error, which `error` does not tell of.
    pulse = setInterval(() => {
      client.query('select 1').catch(() => client.emit('error', new Error('PostgreSQL does not answer.')));
    }, pulseMs);
    onListening();
  }

  connect();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      clearInterval(pulse);
      const client = current;
      current = null;
      if (client) await hangUp(client);
    },
  };
}
