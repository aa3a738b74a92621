// Loaded into the API process by `npm run bench -- hostile-bodies` (NODE_OPTIONS=--import): answers on the socket
// EVENT_LOOP_SOCKET, to each connection, for how many milliseconds the event loop was held at most since the last.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const path = process.env['EVENT_LOOP_SOCKET'];
if (path !== undefined && process.argv[1]?.endsWith('src/api.ts')) {
  // The histogram holds from one timer to the next, of which its resolution is the rest.
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
