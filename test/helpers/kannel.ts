import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isKannelInstalled, missingKannelPrograms } from '../../scripts/kannel/start.ts';

/** `describe` for tests that need a real Kannel. Without Kannel they are skipped, and the run shows why. */
export function describeWithKannel(name: string, define: () => void): void {
  if (isKannelInstalled()) return describe(name, define);
  console.warn(
    `Skipped, because Kannel is not installed (no ${missingKannelPrograms().join(', ')}): ${name}`,
  );
  describe.skip(name, define);
}

/** A callback as the API would receive it. */
export type Callback = { path: string; query: URLSearchParams; receivedAt: number };

export type CallbackReceiver = {
  /** The value for BASE_URL. */
  baseUrl: string;
  port: number;
  /** All callbacks so far, whatever the response was. */
  callbacks: Callback[];
  /** The `status` of the reports on a message, in order of arrival. */
  reportsOn(messageId: string): string[];
  /** Decides the response to each callback. Default 200. */
  answer: (callback: Callback) => number;
  stop(): Promise<void>;
};

/** Replaces the API's two gateway callbacks. */
export async function startCallbackReceiver(port = 0): Promise<CallbackReceiver> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
    const callback = { path: pathname, query: searchParams, receivedAt: Date.now() };
    receiver.callbacks.push(callback);
    response.writeHead(receiver.answer(callback)).end();
  });
  const receiver: CallbackReceiver = {
    baseUrl: '',
    port: 0,
    callbacks: [],
    reportsOn: (messageId) =>
      receiver.callbacks
        .filter(({ query }) => query.get('messageId') === messageId)
        .map(({ query }) => query.get('status') ?? ''),
    answer: () => 200,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver listens on no port');
  receiver.port = address.port;
  receiver.baseUrl = `http://127.0.0.1:${address.port}`;
  return receiver;
}

/** Resolves when the condition holds. After the timeout, fails with the description of the condition. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms without success until ${what}`);
    await sleep(5);
  }
}
