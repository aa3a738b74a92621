import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A gateway that accepts every message and lets the test read the texts that recipients get. */
export interface Carrier {
  /** Its sendsms URL. */
  url: string;
  /** The texts that were sent to a number, oldest first. */
  textsTo: (number: string) => string[];
  stop: () => Promise<void>;
}

export async function startCarrier(): Promise<Carrier> {
  const taken: { to: string | null; text: string }[] = [];
  const server = createServer((request, response) => {
    const parameters = new URL(request.url!, 'http://carrier').searchParams;
    taken.push({ to: parameters.get('to'), text: parameters.get('text') ?? '' });
    response.writeHead(202).end('0: Accepted for delivery');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cgi-bin/sendsms`,
    textsTo: (number) => taken.filter(({ to }) => to === number).map(({ text }) => text),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
