import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';

/** Chromium, if it is installed. */
export const chromium = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((directory) => [join(directory, 'chromium'), join(directory, 'google-chrome')])
  .find((file) => existsSync(file));

/**
 * Runs a module in a page of Chromium and returns what it gives to `finish(text)`. The origin of the page has the files
 * of a directory below `/files/`; every other request goes to the target.
 */
export async function runInChromium(options: {
  program: string;
  directory: string;
  target: string;
}): Promise<string> {
  const { program, directory, target } = options;
  const page = `<!doctype html><script type="module">
    const finish = (text) => fetch('/finish', { method: 'POST', body: text });
    try { ${program} } catch (error) { await finish(String(error.stack)); }
  </script>`;
  let finish: (text: string) => void;
  const finished = new Promise<string>((resolve) => (finish = resolve));
  const server = createServer((request, response) => {
    const path = request.url!;
    const answer = async (): Promise<void> => {
      if (path === '/finish') return finish(await text(request));
      if (path === '/') return void response.setHeader('Content-Type', 'text/html').end(page);
      if (path.startsWith('/files/')) {
        const file = await readFile(join(directory, path.slice('/files/'.length)));
        return void response.setHeader('Content-Type', 'text/javascript').end(file);
      }
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const body = await buffer(request);
      const upstream = await fetch(target + path, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      response.writeHead(upstream.status, { 'Content-Type': upstream.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await upstream.arrayBuffer()));
    };
    void answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const browser = spawn(
    chromium!,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`],
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ],
    { stdio: 'ignore', timeout: 45_000 },
  );
  const exited = once(browser, 'exit');
  try {
    return await Promise.race([
      finished,
      exited.then(() => Promise.reject(new Error('Chromium ended before the program did.'))),
    ]);
  } finally {
    browser.kill();
    await exited;
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
