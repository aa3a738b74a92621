import { Client } from 'pg';
import type { Log } from './log.ts';

/** How PostgreSQL's list of connections names ours. */
export const listenerName = 'sms notices';

/** Between attempts to connect: at once, then ever longer. */
const [soonestRetryMs, latestRetryMs] = [50, 3000];

/** How often a connection is tried on which nothing comes: one that is dead without saying so looks like it. */
const pulseMs = 10_000;

/** How long PostgreSQL may take for anything that is asked here. */
const timeoutMs = 5000;

/** Hears what processes tell each other through PostgreSQL (NOTIFY). */
export interface NoticeListener {
  /** Listens on a channel from now on, for as long as the process runs. */
  subscribe: (subscription: Subscription) => void;
  stop: () => Promise<void>;
}

interface Subscription {
  channel: string;
  /** Called each time that the channel is listened on from now on: what was told before was not heard. */
  onListening: () => void;
  /** Called with the payload of each notice. */
  onNotice: (payload: string) => void;
}

/**
 * Makes the listener of a process: all subscriptions share one connection, which begins with the first of them. A
 * connection that breaks is made anew.
 */
export function createNoticeListener({ url, log }: { url: string; log: Log }): NoticeListener {
  const subscriptions: Subscription[] = [];
  const hangUp = (client: Client) => client.end().catch(() => undefined);
  let current: Client | null = null;
  /** That which listens; null while there is none. */
  let listening: Client | null = null;
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
      listening = null;
      clearInterval(pulse);
      void hangUp(client);
      if (isStopped) return;
      log.warn({ err: error }, 'other processes are not heard until PostgreSQL is reached again');
      retry = setTimeout(connect, retryMs);
      retryMs = Math.min(2 * retryMs, latestRetryMs);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ channel, payload }) => {
      if (!payload) return;
      for (const one of subscriptions) if (one.channel === channel) one.onNotice(payload);
    });
    void begin(client).catch(lost);
  }

  async function begin(client: Client): Promise<void> {
    await client.connect();
    for (const { channel } of subscriptions) await listenOn(client, channel);
    if (current !== client) return;
    listening = client;
    retryMs = soonestRetryMs;
    // A query that is not answered is an error, which `error` does not tell of.
    pulse = setInterval(() => {
      client.query('select 1').catch(() => client.emit('error', new Error('PostgreSQL does not answer.')));
    }, pulseMs);
    for (const { onListening } of subscriptions) onListening();
  }

  return {
    subscribe: (subscription) => {
      subscriptions.push(subscription);
      if (isStopped) return;
      if (subscriptions.length === 1) connect();
      const client = listening;
      if (client === null) return;
      listenOn(client, subscription.channel).then(
        () => client === listening && subscription.onListening(),
        (error: unknown) => client.emit('error', error),
      );
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      clearInterval(pulse);
      const client = current;
      current = null;
      listening = null;
      if (client) await hangUp(client);
    },
  };
}

async function listenOn(client: Client, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}
