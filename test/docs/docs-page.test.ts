import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { buildDocs } from '../../scripts/build-docs.ts';
import { serveSite } from '../../src/http/serve-site.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  await buildDocs(() => undefined);
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
}, 120_000);

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** What a page makes a browser load, follow links to not included. */
function loadedBy(html: string): string[] {
  return [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="([^"]*)"/g)].map(
    ([, url]) => url!,
  );
}

const sourcesAllowed = ["'none'", "'self'", "'unsafe-inline'", 'data:'];

test.each(['/docs/', '/docs/guide/quick-start', '/docs/api', '/docs/api/', '/docs/errors/'])(
  'the page %s is open to anyone and lets the browser load from here only',
  async (path) => {
    const page = await api.call('GET', path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = page.headers
      .get('content-security-policy')!
      .split('; ')
      .map((directive) => directive.split(' '));
    expect(policy).toContainEqual(['default-src', "'none'"]);
    expect(policy).toContainEqual(['script-src', "'self'"]);
    expect(
      policy.flatMap(([, ...sources]) => sources).filter((source) => !sourcesAllowed.includes(source)),
    ).toEqual([]);
    expect(loadedBy(page.body).filter((url) => !url.startsWith('/') || url.startsWith('//'))).toEqual([]);
  },
);

test.each([
  ['a range', { Range: 'bytes=99999999-' }],
  ['a condition on an old state', { 'If-Match': '"old"' }],
  ['a condition on an old date', { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }],
])('a request with %s gets the whole file', async (_name, headers) => {
  const [style] = loadedBy((await api.call('GET', '/docs/api')).body).filter((url) => url.endsWith('.css'));
  for (const path of ['/docs/guide/quick-start', style!]) {
    expect((await api.call('GET', path, { headers })).status).toBe(200);
  }
});

test('everything the reference loads is there, as the type the browser expects', async () => {
  const assets = loadedBy((await api.call('GET', '/docs/api')).body);
  const answers = await Promise.all(assets.map((asset) => api.call('GET', asset)));
  expect(answers.map(({ status, headers }) => [status, headers.get('content-type')?.split(';')[0]])).toEqual([
    [200, 'image/png'],
    [200, 'text/css'],
    [200, 'text/javascript'],
    [200, 'text/javascript'],
  ]);
  expect(answers.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(
    Array(4).fill('nosniff'),
  );
  const styles = answers[1]!.body as string;
  expect([...styles.matchAll(/url\(["']?(?!["']?data:)[^)]*/g)]).toEqual([]);
  expect(styles).not.toContain('@import');
});

test('the reference reads the interface from this server and asks no validator elsewhere', async () => {
  const script = (await api.call('GET', '/docs/api/start.js')).body as string;
  expect(script).toContain("url: '/openapi.yaml'");
  expect(script).toContain('validatorUrl: null');
  expect(script).not.toMatch(/https?:|\/\//);
  expect((await api.call('GET', '/openapi.yaml')).status).toBe(200);
});

test.each(['package.json', 'index.html', 'swagger-initializer.js', '..%2f..%2fpackage.json'])(
  'the package file %s, which the page does not need, is not served',
  async (file) => {
    const [icon] = loadedBy((await api.call('GET', '/docs/api')).body);
    const answer = await api.call('GET', icon!.replace(/[^/]+$/, file));
    expect(answer.status).toBe(404);
  },
);

describe('the documentation site', () => {
  const site = mkdtempSync(join(tmpdir(), 'site-'));
  const files = {
    'index.html': 'home',
    '404.html': 'lost',
    'guide/a.html': 'page a',
    'assets/a.1f.js': 'script',
  };
  let server: Server;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      headers,
      redirect: 'manual',
    });

  beforeAll(async () => {
    server = express().use('/docs', serveSite(site)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(async () => {
    await promisify(server.close.bind(server))();
    rmSync(site, { recursive: true });
  });

  test('says what to run while it is not built, and is there as soon as it is', async () => {
    const missing = await get('/docs/');
    expect([missing.status, await missing.text()]).toEqual([503, expect.stringContaining('npm run docs')]);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(site, name)), { recursive: true });
      writeFileSync(join(site, name), text);
    }
    expect(await (await get('/docs/')).text()).toBe('home');
  });

  test.each([
    ['/docs', 308, ''],
    ['/docs/?a=b', 200, 'home'],
    ['/docs/guide/a', 200, 'page a'],
    ['/docs/guide/a.html', 200, 'page a'],
    ['/docs/guide', 404, 'lost'],
    ['/docs/guide/', 404, 'lost'],
    ['/docs/assets/', 404, 'lost'],
    ['/docs/nothing', 404, 'lost'],
    ['/docs/..%2f..%2fetc/passwd', 404, 'lost'],
    ['/docs/.built-from', 404, 'lost'],
  ])('answers GET %s with %i %s', async (path, status, text) => {
    writeFileSync(join(site, '.built-from'), 'hash');
    const answer = await get(path);
    expect([answer.status, answer.status === 308 ? '' : await answer.text()]).toEqual([status, text]);
    if (status === 308) expect(answer.headers.get('location')).toBe('/docs/');
  });

  test.each([
    ['/docs/guide/a', 'gzip, br', 'gzip', 'page a, compressed', 'no-cache'],
    ['/docs/guide/a.html', 'gzip', 'gzip', 'page a, compressed', 'no-cache'],
    ['/docs/guide/a', 'identity', null, 'page a', 'no-cache'],
    ['/docs/', 'gzip', null, 'home', 'no-cache'],
  ])(
    'answers GET %s to one who takes %s with the encoding %s',
    async (path, accepted, encoding, text, cache) => {
      writeFileSync(join(site, 'guide/a.html.gz'), gzipSync('page a, compressed'));
      const answer = await get(path, { 'Accept-Encoding': accepted });
      const names = ['content-encoding', 'content-type', 'cache-control', 'vary'];
      expect([await answer.text(), ...names.map((name) => answer.headers.get(name))]).toEqual([
        ...[text, encoding, 'text/html; charset=utf-8', cache, 'Accept-Encoding'],
      ]);
      rmSync(join(site, 'guide/a.html.gz'));
    },
  );

  test('lets browsers keep what has its hash in its name, and ask about all else by ETag', async () => {
    expect((await get('/docs/assets/a.1f.js')).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
    const page = await get('/docs/guide/a');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/docs/guide/a', {
      ...{ 'If-None-Match': page.headers.get('etag')!, 'Cache-Control': 'max-age=0' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('a compressed text has an ETag of its own', async () => {
    writeFileSync(join(site, 'guide/a.html.gz'), gzipSync('a'));
    const compressed = { 'Accept-Encoding': 'gzip', 'Cache-Control': 'max-age=0' };
    const etag = (await get('/docs/guide/a', compressed)).headers.get('etag')!;
    expect(etag).not.toBe(
      (await get('/docs/guide/a', { 'Accept-Encoding': 'identity' })).headers.get('etag'),
    );
    expect((await get('/docs/guide/a', { ...compressed, 'If-None-Match': etag })).status).toBe(304);
    rmSync(join(site, 'guide/a.html.gz'));
  });
});
