import type { Socket } from 'node:net';

/** Passes everything between two sockets, in both directions. Both are in `sockets` until they close together. */
export function joinSockets(client: Socket, upstream: Socket, sockets: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => (other.destroy(), sockets.delete(socket)));
    socket.pipe(other);
  }
}
