import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { stepOf, totpOf } from '../../src/auth/two-factor/totp.ts';
import {
  describeInChromium,
  findFaults,
  startConsole,
  type ConsoleBox,
  type Window,
} from '../helpers/console.ts';

const password = 'correct horse battery staple';

/** What a phone reads from the QR code of the page. */
async function readQrCode(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'QR code for your authenticator app' });
  const size = Number((await code.getAttribute('viewBox'))!.split(' ')[2]);
  const path = (await code.locator('path').getAttribute('d'))!;
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < scale; pixel++) data.fill(0, start + pixel * 4, start + pixel * 4 + 3);
    }
  }
  return decodeQR({ width, height: width, data });
}

describeInChromium('the page of the own account', () => {
  let box: ConsoleBox;

  beforeAll(async () => {
    box = await startConsole();
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  const createAccount = async (): Promise<string> => {
    const email = `${randomUUID()}@example.com`;
    const answer = await fetch(`${box.service.demo.baseUrl}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Abebe Bikila', email, password }),
    });
    if (!answer.ok) throw new Error(`The sign-up was answered with ${answer.status}.`);
    return email;
  };

  const readCodes = async (page: Page): Promise<string[]> =>
    (await page.getByRole('region', { name: 'Recovery codes' }).innerText()).split('\n');

  const signInWith = async ({ page, go, context }: Window, email: string, code: string): Promise<void> => {
    await context.clearCookies();
    await go('/account/security');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code of your authenticator app').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Security', exact: true }).waitFor();
  };

  test('turns the second factor on, signs in with it, makes new recovery codes, and turns it off', async () => {
    const email = await createAccount();
    const window = await box.openSignedIn({}, { email, password });
    const { page, go, troubles } = window;
    await go('/account/security');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await dialog.getByLabel('Password').fill('not this one');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('alert').getByText('The password is wrong').waitFor();
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Next' }).click();

    // The QR code and the key that can be typed are the same secret.
    await dialog.getByText('Or type this key into the app').waitFor();
    const secret = new URL(await readQrCode(page)).searchParams.get('secret')!;
    await dialog.getByText(secret, { exact: true }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByLabel('Code of the app').fill('12345');
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    await dialog.getByText('Enter the six digits that the app shows.').waitFor();
    const step = stepOf(new Date());
    await dialog.getByLabel('Code of the app').fill(totpOf(secret, step));
    await dialog.getByRole('button', { name: 'Turn it on' }).click();

    await page.getByRole('dialog', { name: 'Two-factor sign-in is on' }).waitFor();
    const codes = await readCodes(page);
    expect(codes).toHaveLength(10);
    expect(await findFaults(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
    // The codes are not lost by a slip.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    await signInWith(window, email, codes[0]!);
    await page.getByText('9 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'Make new recovery codes' }).click();
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByLabel('Code of the app').fill(codes[0]!);
    await dialog.getByRole('button', { name: 'Make new codes' }).click();
    await dialog.getByRole('alert').getByText('The code is wrong or was used').waitFor();
    await dialog.getByLabel('Code of the app').fill(codes[1]!);
    await dialog.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
    const [renewed] = (await readCodes(page)) as [string];
    expect(codes).not.toContain(renewed);
    await dialog.getByRole('button', { name: 'I have stored them' }).click();

    await page.getByRole('button', { name: 'Turn it off' }).click();
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByLabel('Code of the app').fill(renewed);
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await page.getByRole('button', { name: 'Turn it on' }).waitFor();
    // What the API refuses is logged by the browser, and nothing else is.
    expect(troubles.filter((trouble) => !/status of 40[03]/.test(trouble))).toEqual([]);
  }, 120_000);

  test('shows where the user is signed in, and ends one session, then all others', async () => {
    const email = await createAccount();
    const { page, go, troubles } = await box.openSignedIn({}, { email, password });
    const others = [];
    for (let count = 0; count < 3; count++) others.push(await box.openSignedIn({}, { email, password }));
    await go('/account/security');
    const ends = page.getByRole('button', { name: /^End the session of / });
    await ends.first().waitFor();
    // The sign-up started one as well.
    expect(await ends.count()).toBe(4);
    await page.getByText('This browser').waitFor();

    await page.getByRole('button', { name: 'End the session of Chrome' }).first().click();
    await page.getByText(/^The session of Chrome.* has ended$/).waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog', { name: 'End 3 other sessions?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await ends.first().waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
    for (const other of others) {
      await other.go('/account/security');
      await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
  }, 90_000);

  test('shows refused sign-ins, and an administrator resets a lost second factor', async () => {
    const email = await createAccount();
    const { baseUrl, adminEmail, adminPassword } = box.service.demo;
    const person = await box.openSignedIn({}, { email, password });
    const refused = await person.context.request.post(`${baseUrl}/api/auth/sign-in/email`, {
      data: { email, password: 'not this one' },
      headers: { Origin: baseUrl },
    });
    expect(refused.status()).toBe(401);
    await person.go('/account/activity');
    await person.page.getByText('Somebody tried to sign in').waitFor();
    await person.page
      .getByText(/^password · Chrome.* · 127\.0\.0\.1$/)
      .first()
      .waitFor();

    const enabled = await person.context.request.post(`${baseUrl}/api/auth/two-factor/enable`, {
      data: { password },
      headers: { Origin: baseUrl },
    });
    const secret = new URL(((await enabled.json()) as { totpURI: string }).totpURI).searchParams.get(
      'secret',
    )!;
    await person.context.request.post(`${baseUrl}/api/auth/two-factor/confirm`, {
      data: { code: totpOf(secret, stepOf(new Date())) },
      headers: { Origin: baseUrl },
    });
    const { page, go, troubles } = await box.openSignedIn({}, { email: adminEmail, password: adminPassword });
    await go(`/admin/users?search=${encodeURIComponent(email)}`);
    await page.getByRole('button', { name: email }).click();
    await page.getByRole('button', { name: 'Security events' }).click();
    await page.getByText('Two-factor sign-in was turned on').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reset the second factor …' }).click();
    await page.getByRole('button', { name: 'Reset it' }).click();
    await page.getByText('Two-factor sign-in was reset').waitFor();
    expect(troubles).toEqual([]);
    await person.go('/account/security');
    await person.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 90_000);
});
