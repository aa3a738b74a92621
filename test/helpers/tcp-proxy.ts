import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.ts';

export interface TcpProxy {
  /** The target URL, through the proxy. */
  url: string;
  /** Breaks all connections and accepts no new ones. */
  cut: () => Promise<void>;
  /** Accepts connections again on the same port. Harmless if it already does. */
  restore: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a proxy whose connections can be cut: the server is then down, but only for clients of the proxy. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    joinSockets(client, upstream, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: proxyPort } = server.address() as AddressInfo;
  const url = new URL(target);
  url.host = `127.0.0.1:${proxyPort}`;
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    restore: async () => {
      if (server.listening) return;
      server.listen(proxyPort, '127.0.0.1');
      await once(server, 'listening');
    },
    stop: cut,
  };
}
