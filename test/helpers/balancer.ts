import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.ts';

/** One address for several servers: each new connection goes to the next one. */
export interface Balancer {
  url: string;
  /** Sets the servers. Until then, connections are closed. */
  serve: (urls: string[]) => void;
  stop: () => Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let servers: string[] = [];
  let next = 0;
  const server = createServer((client) => {
    const chosen = servers[next++ % servers.length];
    if (chosen === undefined) return void client.destroy();
    const { hostname, port } = new URL(chosen);
    const upstream = connect(Number(port), hostname);
    joinSockets(client, upstream, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (urls) => {
      servers = urls;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
