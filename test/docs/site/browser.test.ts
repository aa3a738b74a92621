import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { buildDocs } from '../../../scripts/build-docs.ts';
import { startTestApi, type TestApi } from '../../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/databases.ts';
import { until } from '../../helpers/until.ts';

const chromiumPath = '/usr/bin/chromium';
const isThere = existsSync(chromiumPath);
if (!isThere) process.stderr.write(`${chromiumPath} is not there: no page is opened in a browser.\n`);

const site = 'docs/.vitepress/dist';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let db: TestDatabase;
let api: TestApi;
let browser: Browser | undefined;
let context: BrowserContext;

beforeAll(async () => {
  await buildDocs(() => undefined);
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  if (!isThere) return;
  browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  context = await browser.newContext();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await api?.stop();
  await db?.drop();
});

/** The path of every page of the site at the API, and its HTML. */
function listPages(): Map<string, string> {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  return new Map(
    files
      .filter((file) => file !== '404.html')
      .map((file) => [
        `/docs/${file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`,
        readFileSync(`${site}/${file}`, 'utf8'),
      ]),
  );
}

/** Opens a page and waits until its scripts run. Returns what a reader must never cause: foreign requests and errors. */
async function findFaults(page: Page, path: string): Promise<string[]> {
  const faults: string[] = [];
  page.removeAllListeners();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== api.baseUrl) faults.push(`${path} requests ${url.href}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${path}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
  await page.goto(api.baseUrl + path);
  if (path === '/docs/api') await page.locator('#reference .opblock').first().waitFor();
  else await until(`the scripts of ${path}`, () => page.evaluate(hasScriptsRun));
  return faults;
}

/** Runs in the page. */
function hasScriptsRun(): boolean {
  const { document } = globalThis as unknown as { document: { querySelector: (selector: string) => object } };
  return '__vue_app__' in document.querySelector('#app');
}

/** Runs in the page. */
function widthOfPage(): number {
  const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
  return document.documentElement.scrollWidth;
}

(isThere ? describe : describe.skip)('in Chromium', () => {
  test('no page requests anything from elsewhere, breaks its Content-Security-Policy, or logs an error', async () => {
    const paths = [...listPages().keys(), '/docs/api'];
    expect(paths.length).toBeGreaterThan(60);
    const faults = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const page = await context.newPage();
        const found: string[] = [];
        for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
          found.push(...(await findFaults(page, path)));
        }
        await page.close();
        return found;
      }),
    );
    expect(faults.flat()).toEqual([]);
  }, 120_000);

  test('no page is wider than a phone', async () => {
    const page = await context.newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    const wide: string[] = [];
    for (const path of listPages().keys()) {
      await page.goto(api.baseUrl + path);
      if ((await page.evaluate(widthOfPage)) > 390) wide.push(path);
    }
    expect(wide).toEqual([]);
    await page.close();
  }, 120_000);

  test('the search finds a word, without a request to elsewhere', async () => {
    const page = await context.newPage();
    const faults = await findFaults(page, '/docs/guide/quick-start');
    await page.keyboard.press('/');
    await page.locator('#localsearch-input').fill('magic recipients');
    await page.locator('.VPLocalSearchBox a.result[href*="/docs/guide/testing"]').first().waitFor();
    await page.locator('.VPLocalSearchBox a.result[href*="/docs/guide/testing"]').first().click();
    await page.waitForURL(/\/docs\/guide\/testing/);
    expect(faults).toEqual([]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('axe finds no serious fault in %s colours', async (colorScheme) => {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    const found: string[] = [];
    for (const path of [
      '/docs/',
      '/docs/guide/webhooks',
      '/docs/guide/limits',
      '/docs/architecture',
      '/docs/comparison',
    ]) {
      await findFaults(page, path);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
      );
      found.push(
        ...violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path}: ${id}: ${html.slice(0, 120)}`)),
      );
    }
    expect(found).toEqual([]);
    await page.close();
  });
});

test('every link within the site leads to a page, and to a place on it', async () => {
  const pages = listPages();
  const targets = new Map<string, string>();
  for (const [path, html] of pages) {
    for (const [, href] of html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)) {
      const url = new URL(href!.replaceAll('&amp;', '&'), api.baseUrl + path);
      if (url.origin === api.baseUrl) targets.set(url.pathname + url.hash, path);
    }
  }
  const broken: string[] = [];
  const answers = new Map<string, number>();
  for (const [target, from] of targets) {
    const [path = '', hash = ''] = target.split('#');
    if (!answers.has(path)) answers.set(path, (await api.call('HEAD', path)).status);
    const isServed = answers.get(path) === 200;
    const html = pages.get(path);
    const hasPlace = hash === '' || html === undefined || html.includes(`id="${decodeURIComponent(hash)}"`);
    if (!isServed || !hasPlace) broken.push(`${from} → ${target}`);
  }
  expect(broken).toEqual([]);
});

interface AxeResults {
  violations: { id: string; impact: string | null; nodes: { html: string }[] }[];
}
