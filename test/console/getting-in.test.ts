import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { stepOf, totpOf } from '../../src/auth/two-factor/totp.ts';
import { describeInChromium, startConsole, type ConsoleBox } from '../helpers/console.ts';

const password = 'correct horse battery staple';

describeInChromium('the way into the console', () => {
  let box: ConsoleBox;

  beforeAll(async () => {
    box = await startConsole();
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  const signUp = async (page: Page, email: string): Promise<void> => {
    await page.getByLabel('Your name').fill('Abebe Bikila');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create an account' }).click();
  };

  test('leads from the sign-up over the confirmed address to the first steps', async () => {
    const { page, go, troubles } = await box.open();
    const email = `${randomUUID()}@example.com`;
    await go('/');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await signUp(page, email);

    await page.getByLabel('Name', { exact: true }).fill(`Abay Parcels ${randomUUID().slice(0, 8)}`);
    expect(await page.getByLabel('Address in the console').inputValue()).toMatch(
      /^abay-parcels-[0-9a-f]{8}$/,
    );
    await page.getByRole('button', { name: 'Create the organization' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText(`Confirm your address: we sent a link to ${email}.`).waitFor();

    await page.goto(await box.linkMailed(email, '/verify-email'));
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await page.getByRole('link', { name: 'Continue to the console' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    expect(await page.getByText('Confirm your address').count()).toBe(0);

    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Order service');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page
      .getByText(/^sms_test_/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('1 of 4 done').waitFor();

    await page.getByRole('button', { name: 'Request a sender' }).click();
    await page.getByLabel('Sender', { exact: true }).fill(`Abay${randomUUID().slice(0, 4)}`);
    await page.getByLabel('What you send').fill('Tells customers where their parcels are.');
    await page.getByLabel('A typical message').fill('Your parcel is here.');
    await page.getByRole('button', { name: 'Request it' }).click();
    await page.getByText('Requested. You are notified').waitFor();
    expect(troubles).toEqual([]);
  }, 90_000);

  test('leads administrators without an organization to their pages, and lets others out', async () => {
    const { adminEmail: email, adminPassword } = box.service.demo;
    const { page, go } = await box.openSignedIn({}, { email, password: adminPassword });
    await go('/');
    await page.getByRole('heading', { name: 'Sender IDs to review' }).waitFor();
    await go('/admin');
    await page.getByRole('heading', { name: 'Sender IDs to review' }).waitFor();
    await page.getByRole('link', { name: 'Create an organization' }).click();
    await page.getByText(`Signed in as ${email}.`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 60_000);

  test('asks for the code of the app, once the password was right', async () => {
    const email = `${randomUUID()}@example.com`;
    const post = async (path: string, json: object, token?: string) => {
      const response = await fetch(`${box.service.demo.baseUrl}/api/auth${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(json),
      });
      return (await response.json()) as { token: string; totpURI: string; recoveryCodes: string[] };
    };
    const { token } = await post('/sign-up/email', { name: 'Abebe', email, password });
    const { totpURI } = await post('/two-factor/enable', { password }, token);
    const secret = new URL(totpURI).searchParams.get('secret')!;
    const confirmed = await post('/two-factor/confirm', { code: totpOf(secret, stepOf(new Date())) }, token);

    const { page, go } = await box.open();
    await go('/');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    expect(await page.getByLabel('Code of your authenticator app').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code of your authenticator app').fill(confirmed.recoveryCodes[0]!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Create the organization' }).waitFor();
  }, 90_000);

  test('keeps a half-written message when the session ends, and sends it after the sign-in', async () => {
    const { page, go, context } = await box.openSignedIn();
    await go('/o/demo/messages/send');
    await page.getByLabel('Recipient').fill('0911234567');
    await page.getByLabel('Text', { exact: true }).fill('Half written');
    await page.getByText('Goes to +251911234567').waitFor();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Send now' }).click();

    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(box.service.demo.ownerPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half written');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('heading', { name: 'Message to +251911234567' }).waitFor();
  }, 60_000);

  test('replaces a forgotten password by a link in a mail', async () => {
    const { page, go } = await box.open();
    const email = `${randomUUID()}@example.com`;
    await go('/sign-up');
    await signUp(page, email);
    await page.getByLabel('Name', { exact: true }).waitFor();
    const { page: another, go: goElsewhere } = await box.open();
    await goElsewhere('/forgotten-password');
    await another.getByLabel('E-mail address').fill(email);
    await another.getByRole('button', { name: 'Send the link' }).click();
    await another.getByText('Look into your mail').waitFor();

    await another.goto(await box.linkMailed(email, '/reset-password'));
    await another.getByLabel('New password').fill('another horse battery staple');
    await another.getByRole('button', { name: 'Set the password' }).click();
    await another.getByLabel('E-mail address').fill(email);
    await another.getByLabel('Password', { exact: true }).fill('another horse battery staple');
    await another.getByRole('button', { name: 'Sign in' }).click();
    await another.getByRole('heading', { name: 'New organization' }).waitFor();
  }, 60_000);

  test('says what is wrong with a sign-in, and what to do', async () => {
    const { page, go } = await box.open();
    await go('/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your password.').waitFor();
    await page.getByLabel('E-mail address').fill(`${randomUUID()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The address or the password is wrong').waitFor();
  }, 60_000);

  test('speaks Amharic to those whose browser does, and English to whoever chooses it', async () => {
    const { page, go } = await box.open({ locale: 'am-ET' });
    await go('/sign-in');
    await page.getByRole('button', { name: 'ግባ' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('am');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  }, 60_000);
});
