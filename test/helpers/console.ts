import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { startBlackBox, type BlackBox } from './black-box.ts';
import { until } from './until.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** `describe` where Chromium is installed (Debian: chromium); elsewhere its tests are skipped, with a message. */
export function describeInChromium(name: string, tests: () => void): void {
  if (executablePath !== undefined) describe(name, tests);
  else describe.skip(`${name} (skipped: install Chromium, Debian's package chromium)`, tests);
}

/** The running service and a browser. */
export interface ConsoleBox {
  service: BlackBox;
  /** Opens a browser window of its own, signed out. */
  open: (options?: WindowOptions) => Promise<Window>;
  /** Opens a window in which somebody is signed in: by default the owner of the demo organization. */
  openSignedIn: (options?: WindowOptions, account?: Account) => Promise<Window>;
  /** The link with a part in the last mail to an address. `npm start` writes mails to the log. */
  linkMailed: (email: string, part: string) => Promise<string>;
  stop: () => Promise<void>;
}

interface Account {
  email: string;
  password: string;
}

interface WindowOptions {
  locale?: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
}

/** A window of the browser, and what went wrong in it. */
export interface Window {
  page: Page;
  context: BrowserContext;
  /** Opens an address below /console. */
  go: (path: string) => Promise<void>;
  /** Foreign requests, violations of the policy, errors in the console, and exceptions, since the window was opened. */
  troubles: string[];
  /** The bytes of all responses since the last call, as they were transferred. */
  takeTransferredBytes: () => number;
}

/** Builds the console if it is not current, and starts the service, with its defaults overridden, and a browser. */
export async function startConsole(environment: Record<string, string> = {}): Promise<ConsoleBox> {
  await buildConsole(() => undefined);
  const [service, browser] = await Promise.all([
    startBlackBox(environment),
    // Chromium's own sandbox needs rights that containers do not give.
    chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] }),
  ]);
  const { baseUrl } = service.demo;
  const open = (options: WindowOptions = {}): Promise<Window> => openWindow(browser, baseUrl, options);
  return {
    service,
    open,
    linkMailed: (email, part) => until(`a mail to ${email}`, () => findLink(service.output(), email, part)),
    openSignedIn: async (options, account) => {
      const window = await open(options);
      const { ownerEmail, ownerPassword } = service.demo;
      const { email, password } = account ?? { email: ownerEmail, password: ownerPassword };
      const answer = await window.context.request.post(`${baseUrl}/api/auth/sign-in/email`, {
        data: { email, password },
        headers: { Origin: baseUrl },
      });
      if (!answer.ok()) throw new Error(`The sign-in responded ${answer.status()}.`);
      return window;
    },
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

async function openWindow(browser: Browser, baseUrl: string, options: WindowOptions): Promise<Window> {
  const { locale = 'en-GB', width = 1440, colorScheme = 'light' } = options;
  const context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const troubles: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) troubles.push(`foreign request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  return {
    page,
    context,
    troubles,
    go: async (path) => void (await page.goto(`${baseUrl}/console${path}`)),
    takeTransferredBytes: await countBytes(context, page),
  };
}

async function countBytes(context: BrowserContext, page: Page): Promise<() => number> {
  let bytes = 0;
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  devTools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return () => {
    const taken = bytes;
    bytes = 0;
    return taken;
  };
}

/** `until` looks every 20 ms: half a second without news. */
const looksOfQuiet = 25;

/** Waits until nothing more arrives but the stream of notifications, which never ends. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  let before = -1;
  let quietLooks = 0;
  await until('a page that loads nothing more', async () => {
    // The answers to requests between two looks are among the entries of the second one.
    const now = await page.evaluate<number>(`performance.getEntriesByType('resource').length`);
    const isLoading = (await page.getByRole('status', { name: 'Loading' }).count()) > 0;
    quietLooks = now === before && !isLoading ? quietLooks + 1 : 0;
    before = now;
    return quietLooks === looksOfQuiet;
  });
}

/** The serious and critical faults that axe finds on the page, each with the element. */
export async function findFaults(page: Page): Promise<string[]> {
  // A transition in progress has other colours than the page.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})',
  );
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** A link in the lines of the log that hold mails. */
function findLink(output: string, email: string, part: string): string | undefined {
  const line = output
    .split('\n')
    .findLast((candidate) => candidate.includes(email) && candidate.includes(part));
  return line === undefined ? undefined : /https?:\/\/[^\s"\\]+/.exec(line)?.[0];
}
