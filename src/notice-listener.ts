import { Client } from 'pg';
import type { Log } from './log.ts';

/** The name of this connection in PostgreSQL's list of connections. */
export const listenerName = 'sms notices';

/** The delays between attempts to connect: short at first, then increasing. */
const [soonestRetryMs, latestRetryMs] = [50, 3000];

/** How often an idle connection is tested. A dead connection that reports no error looks the same as an idle one. */
const pulseMs = 10_000;

/** The timeout for connections and queries of this listener. */
const timeoutMs = 5000;

/** Receives the notices that processes send each other through PostgreSQL (NOTIFY). */
export interface NoticeListener {
  /** Listens on a channel until the process ends. */
  subscribe: (subscription: Subscription) => void;
  stop: () => Promise<void>;
}

interface Subscription {
  channel: string;
  /** Called each time when listening on the channel starts. Notices before that time were not received. */
  onListening: () => void;
  /** Called with the payload of each notice. */
  onNotice: (payload: string) => void;
}

/**
 * Creates the listener of a process. All subscriptions share one connection, which opens with the first subscription. A
 * lost connection is reopened.
 */
export function createNoticeListener({ url, log }: { url: string; log: Log }): NoticeListener {
  const subscriptions: Subscription[] = [];
  const hangUp = (client: Client) => client.end().catch(() => undefined);
  let current: Client | null = null;
  /** The client that is listening; null while there is none. */
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
      log.warn(
        { err: error },
        'notices from other processes are not received until PostgreSQL can be reached again',
      );
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
    // A query without a response fails, but the client does not emit `error` for it.
    pulse = setInterval(() => {
      client.query('select 1').catch(() => client.emit('error', new Error('PostgreSQL does not respond.')));
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
