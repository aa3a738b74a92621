import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { consoleRoutes } from '../../src/console/routes.ts';

let directory: string;
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'console-'));
  const app = express();
  app.use(consoleRoutes(directory));
  app.use((_request, response) => void response.status(404).json({ code: 'not_found' }));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

function build(): void {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(directory, '.built-from'), 'a fingerprint');
  writeFileSync(join(directory, 'assets/index-abc.js'), 'const a = 1;');
  writeFileSync(join(directory, 'assets/index-abc.js.br'), brotliCompressSync('const a = 1;'));
  writeFileSync(join(directory, 'assets/index-abc.js.gz'), gzipSync('const a = 1;'));
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${baseUrl}${path}`, { headers, redirect: 'manual' });

test('a console that is not built says which command builds it, and is served as soon as it is', async () => {
  const missing = await get('/console/');
  expect([missing.status, await missing.text()]).toEqual([
    503,
    expect.stringContaining('npm run build --workspace console'),
  ]);
  build();
  expect((await get('/console/')).status).toBe(200);
});

test('every address of the console is its page, which browsers ask for anew', async () => {
  build();
  for (const path of ['/console/', '/console/sign-in', '/console/o/demo/messages/1?status=failed']) {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
  }
  const withoutSlash = await get('/console');
  expect([withoutSlash.status, withoutSlash.headers.get('location')]).toEqual([308, '/console/']);
});

test('no page and no asset may load, frame or run anything but files of this origin', async () => {
  build();
  for (const path of ['/console/', '/console/assets/index-abc.js']) {
    const policy = (await get(path)).headers.get('content-security-policy')!;
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
});

test('browsers keep assets for ever and get them compressed if they can read that', async () => {
  build();
  const accepted = ['gzip, deflate, br', 'gzip, deflate', 'identity'];
  const answers = await Promise.all(
    accepted.map((encoding) => get('/console/assets/index-abc.js', { 'Accept-Encoding': encoding })),
  );
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
  for (const answer of answers) {
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe('const a = 1;');
  }
});

test.each(['index-old.js', '..%2f.built-from', '..%2findex.html', '.built-from', 'index-abc.js.br'])(
  'the asset %s, which the build has not named, is a 404 and not the page',
  async (file) => {
    build();
    expect((await get(`/console/assets/${file}`)).status).toBe(404);
  },
);
