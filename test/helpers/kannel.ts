import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isKannelInstalled, missingKannelPrograms } from '../../scripts/kannel/start.ts';

/** describe, for what needs the real Kannel; without it the tests are skipped and the run says why. */
export function describeWithKannel(name: string, define: () => void): void {
  if (isKannelInstalled()) return describe(name, define);
  console.warn(
    `Skipped, because Kannel is not installed (no ${missingKannelPrograms().join(', ')}): ${name}`,
  );
  describe.skip(name, define);
}

/** A callback as the API would get it. */
export type Callback = { path: string; query: URLSearchParams; receivedAt: number };

export type CallbackReceiver = {
  /** What to give as BASE_URL. */
  baseUrl: string;
  port: number;
  /** All callbacks so far, answered with 200 or not. */
  callbacks: Callback[];
  /** The `status` of the reports on a message, in the order they came. */
  reportsOn(messageId: string): string[];
  /** Decides each callback's answer; 200 at first. */
  answer: (callback: Callback) => number;
  stop(): Promise<void>;
};

/** Stands in the place of the API's two gateway callbacks. */
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

/** Resolves when the condition holds; fails after the timeout with what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await sleep(5);
  }
}
