import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../scripts/embedded/errors.ts';

/** A connection between two parties whose bytes a fault can stop or delay. */
export interface TcpLink {
  port: number;
  /** Breaks all connections, and refuses new ones. */
  cut: () => void;
  /** Holds all bytes, in both directions. */
  freeze: () => void;
  /** Delays each byte, in both directions. */
  delay: (delayMs: number) => void;
  /** Ends all of these. Bytes that were held are passed on. */
  heal: () => Promise<void>;
  stop: () => void;
}

/** What a fault does to the bytes of a link. */
interface Condition {
  frozen: boolean;
  delayMs: number;
}

/**
 * Starts a proxy on 127.0.0.1 in front of a server.
 *
 * @param port on which it listens
 * @param target the port of the server on 127.0.0.1
 */
export async function startTcpLink(port: number, target: number): Promise<TcpLink> {
  const condition: Condition = { frozen: false, delayMs: 0 };
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      const pump = passBytes(from, to, condition);
      pumps.add(pump);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        pumps.delete(pump);
        to.destroy();
      });
    }
  });
  const destroyAll = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  const cut = (): void => {
    server.close();
    destroyAll();
  };
  await listen(server, port);
  return {
    port,
    cut,
    freeze: () => (condition.frozen = true),
    delay: (delayMs) => (condition.delayMs = delayMs),
    heal: async () => {
      condition.frozen = false;
      condition.delayMs = 0;
      pumps.forEach((pump) => pump());
      if (!server.listening) await listen(server, port);
    },
    stop: cut,
  };
}

/** Listens as soon as the port is free: the last listener may still be closing. */
async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  for (;;) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch (error) {
      if (!['EADDRINUSE', 'ERR_SERVER_ALREADY_LISTEN'].includes(String(codeOf(error)))) throw error;
      await sleep(20);
      if (server.listening) return;
    }
  }
}

/** Passes the bytes of one direction in their order. Returns the function that goes on after a freeze. */
function passBytes(from: Socket, to: Socket, condition: Condition): () => void {
  const held: { dueAtMs: number; chunk: Buffer | 'end' }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pump = (): void => {
    clearTimeout(timer);
    for (let first = held[0]; first !== undefined && !condition.frozen; first = held[0]) {
      const waitMs = first.dueAtMs - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      held.shift();
      if (first.chunk === 'end') to.end();
      else if (!to.write(first.chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    }
  };
  const hold = (chunk: Buffer | 'end'): void => {
    held.push({ dueAtMs: performance.now() + condition.delayMs, chunk });
    pump();
  };
  from.on('data', hold).on('end', () => hold('end'));
  return pump;
}
