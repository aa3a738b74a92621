import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MendableReceiver {
  url: string;
  mend: () => void;
  stop: () => Promise<unknown>;
}

/** A receiver of webhooks that is gone (410) until it is mended. */
export async function startMendableReceiver(): Promise<MendableReceiver> {
  let isMended = false;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(isMended ? 200 : 410, { 'Content-Type': 'text/plain' });
    response.end(isMended ? 'Thank you.' : 'This receiver wants no more.');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    mend: () => {
      isMended = true;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
