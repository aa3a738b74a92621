import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

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

test.each(['/docs', '/docs/', '/errors'])(
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

test('everything the reference loads is there, as the type the browser expects', async () => {
  const assets = loadedBy((await api.call('GET', '/docs')).body);
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
  const script = (await api.call('GET', '/docs/start.js')).body as string;
  expect(script).toContain("url: '/openapi.yaml'");
  expect(script).toContain('validatorUrl: null');
  expect(script).not.toMatch(/https?:|\/\//);
  expect((await api.call('GET', '/openapi.yaml')).status).toBe(200);
});

test.each(['package.json', 'index.html', 'swagger-initializer.js', '..%2f..%2fpackage.json'])(
  'the package file %s, which the page does not need, is not served',
  async (file) => {
    const [icon] = loadedBy((await api.call('GET', '/docs')).body);
    const answer = await api.call('GET', icon!.replace(/[^/]+$/, file));
    expect(answer.status).toBe(404);
  },
);
