import type { CDPSession } from 'playwright-core';
import { freePort } from '../../bench/service.ts';
import {
  describeInChromium,
  findFaults,
  startConsole,
  type ConsoleBox,
  type Window,
} from '../helpers/console.ts';

/** A device of the browser that makes passkeys and recognises its user at once. */
interface Device {
  devTools: CDPSession;
  authenticatorId: string;
}

async function addDevice({ page, context }: Window): Promise<Device> {
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { devTools, authenticatorId };
}

describeInChromium('passkeys', () => {
  let box: ConsoleBox;

  beforeAll(async () => {
    const port = String(await freePort());
    // Browsers make no passkey for 127.0.0.1.
    box = await startConsole({ PORT: port, BASE_URL: `http://localhost:${port}` });
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  test('are added, sign in without address and password, and are removed', async () => {
    const window = await box.openSignedIn();
    const { page, go, context, troubles } = window;
    const { devTools, authenticatorId } = await addDevice(window);
    await go('/account/security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toMatch(/^Chrome/);
    await dialog.getByLabel('Name').fill('Work laptop');
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^On one device · since/).waitFor();
    const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

    // The same device makes no second one.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('alert').getByText('This device already has a passkey').waitFor();
    await page.keyboard.press('Escape');

    await context.clearCookies();
    await go('/account/activity');
    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    await signIn.waitFor();
    expect(await findFaults(page)).toEqual([]);
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await signIn.click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    // With the keyboard, as everything else.
    await signIn.focus();
    await page.keyboard.press('Enter');
    await page
      .getByText(/^passkey · Chrome/)
      .first()
      .waitFor();

    await go('/account/security');
    await page.getByRole('button', { name: 'Remove the passkey “Work laptop”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The passkey “Work laptop” is removed').waitFor();
    await context.clearCookies();
    await go('/sign-in');
    await signIn.click();
    await page.getByRole('alert').getByText('The passkey was not accepted').waitFor();
    // The browser logs the refusal of the removed passkey.
    expect(troubles.filter((trouble) => !trouble.includes('status of 400'))).toEqual([]);
  }, 120_000);
});
