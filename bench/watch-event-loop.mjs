// Loaded into the API process by `npm run bench -- hostile-bodies` (NODE_OPTIONS=--import). On each connection
// to the socket EVENT_LOOP_SOCKET, it sends the longest time in milliseconds for which the event loop was blocked since
// the previous connection.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const path = process.env['EVENT_LOOP_SOCKET'];
if (path !== undefined && process.argv[1]?.endsWith('src/api.ts')) {
  // The histogram measures the time between two timers, which includes its resolution.
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  rmSync(path, { force: true });
  createServer((socket) => {
    socket.end(String(delay.max / 1e6));
    delay.reset();
  })
    .listen(path)
    .unref();
}
