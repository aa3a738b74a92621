import { once } from 'node:events';
import type { Server } from 'node:http';

/** How often connections are closed whose request has ended meanwhile. */
const lookEveryMs = 50;

/**
 * Stops a server: it accepts no connection more, completes the requests that are in progress, and closes each connection
 * when its request ends. A request that takes longer than `graceMs` is cut, so that a client which sends its body
 * slowly cannot delay the stop: its message was not accepted, and the caller sees the lost connection.
 *
 * @returns how many connections were cut
 */
export async function stopServer(server: Server, graceMs: number): Promise<{ cutConnections: number }> {
  const closed = once(server, 'close');
  server.close();
  const closeIdle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  let cutConnections = 0;
  const cut = setTimeout(() => {
    server.getConnections((_error, count) => {
      cutConnections = count ?? 0;
      server.closeAllConnections();
    });
  }, graceMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(cut);
  return { cutConnections };
}
