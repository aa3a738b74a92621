import { describeInChromium, startConsole, type ConsoleBox } from '../helpers/console.ts';

describeInChromium('a person who has never seen the API', () => {
  let box: ConsoleBox;

  beforeAll(async () => {
    box = await startConsole();
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  test('signs in, sends a message, and watches it until it is delivered', async () => {
    const { page, go, troubles } = await box.open();
    await go('/o/demo/messages');
    await page.getByLabel('E-mail address').fill(box.service.demo.ownerEmail);
    await page.getByLabel('Password', { exact: true }).fill(box.service.demo.ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The sign-in leads to where the person wanted to go.
    await page.getByRole('link', { name: 'Send a message' }).first().click();
    await page.getByRole('heading', { name: 'Send a message' }).waitFor();

    await page.getByLabel('Recipient').fill('0911234567');
    await page.getByLabel('Text', { exact: true }).fill('Your “parcel” is here');
    await page.getByText('Goes to +251911234567 from DEMO.').waitFor();
    await page.getByText('These 2 characters force Unicode').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();

    await page.getByRole('heading', { name: 'Message to +251911234567' }).waitFor();
    await page.getByText('Report: delivered to the phone').waitFor();
    expect(await page.getByText('Delivered', { exact: true }).count()).toBeGreaterThan(1);

    await page.getByRole('link', { name: 'Messages' }).first().click();
    const row = page.getByRole('row').filter({ hasText: 'Your “parcel” is here' });
    await row.getByText('Delivered').waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);

  test('sees at once what the service refuses, at the field that is wrong', async () => {
    const { page, go } = await box.openSignedIn();
    await go('/o/demo/messages/send?to=12345678');
    await page.getByLabel('Text', { exact: true }).fill('Selam');
    await page.getByText(/Messages cannot be sent to this number/).waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.locator('input[name=to][aria-invalid=true]:focus').waitFor();
  }, 60_000);

  test('sees a message that somebody else sends appear in the list, without reloading it', async () => {
    const { page, go } = await box.openSignedIn();
    await go('/o/demo/messages?environment=test');
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    await box.service.post({ to: '0911000001', text: 'From a program' });
    const row = page.getByRole('row').filter({ hasText: 'From a program' });
    await row.getByText('Delivered').waitFor();
  }, 60_000);

  test('tries a message without a phone: a test message goes to the simulator', async () => {
    const { page, go } = await box.openSignedIn();
    await go('/o/demo/messages/send?to=251900000003&text=Selam');
    await page.getByLabel('Environment').click();
    await page.getByRole('option', { name: 'Test' }).click();
    await page.getByText('Goes to the simulator and never to a phone.').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Failed: smsc_rejected').waitFor();
    await page.getByText('Report: the carrier rejected it').waitFor();
  }, 60_000);

  test('replaces the characters that force Unicode, and saves a segment', async () => {
    const { page, go } = await box.openSignedIn();
    await go('/o/demo/messages/send');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill(`“${'a'.repeat(100)}” — today…`);
    await page.getByText('2 segments').waitFor();
    await page.getByRole('button', { name: 'Replace them' }).click();
    await page.getByText('1 segment', { exact: true }).waitFor();
    expect(await text.inputValue()).toBe(`"${'a'.repeat(100)}" - today...`);
  }, 60_000);
});
