import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { SmsClient } from '../../client/src/index.ts';
import { describeInChromium, findFaults, startConsole, type ConsoleBox } from '../helpers/console.ts';
import { until } from '../helpers/until.ts';

/** The simulator reports this recipient's messages as undelivered (magic recipients, openapi.yaml). */
const unreachable = '+251900000002';
const code = '8081';

describeInChromium('the pages for what an organization sends, receives and sets', () => {
  let box: ConsoleBox;
  let sms: SmsClient;

  beforeAll(async () => {
    box = await startConsole({ GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' });
    const { baseUrl, liveApiKey, organizationId } = box.service.demo;
    sms = new SmsClient({ baseUrl, apiKey: liveApiKey });
    await box.service.query(
      `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
        values (gen_random_uuid(), $1, $2, 'approved', false, 'x', 'x', now())`,
      [organizationId, code],
    );
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  const asAdministrator = () => {
    const { adminEmail: email, adminPassword: password } = box.service.demo;
    return box.openSignedIn({}, { email, password });
  };

  /** A text from a phone, as the gateway passes it on. */
  async function receive(from: string, text: string): Promise<void> {
    const { baseUrl, gatewayToken } = box.service.demo;
    const query = new URLSearchParams({
      token: gatewayToken,
      from,
      to: code,
      text,
      providerMessageId: randomUUID(),
    });
    const answer = await fetch(`${baseUrl}/api/v1/gateway/mo?${query.toString()}`);
    expect(answer.status).toBe(200);
  }

  const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first();

  test('a sign-in page offers the providers that are configured, and no others', async () => {
    const { page, go } = await box.open();
    await go('/sign-in');
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
    expect(await page.getByRole('button', { name: /^Continue with/ }).count()).toBe(1);
    await go('/sign-in?error=access_denied');
    await page.getByText('You are not signed in').waitFor();
  }, 60_000);

  test('a conversation shows both sides, and is replied to from the number that was texted', async () => {
    const phone = '+251911000111';
    await receive(phone, 'Do you deliver to Adama?');
    await receive('+251911000112', 'Are you open?');
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/inbound');
    await rowWith(page, 'Are you open?').waitFor();
    await rowWith(page, phone).getByRole('link').click();
    await page.getByRole('heading', { name: phone }).waitFor();
    await page.getByLabel(`Reply to ${phone}`).fill('Yes, every day.');
    await page.getByRole('button', { name: 'Send the reply' }).click();
    const conversation = page.getByRole('list', { name: 'The conversation' });
    await conversation.getByText('Yes, every day.').waitFor();
    await conversation.getByText('Delivered').waitFor({ timeout: 60_000 });
    expect(await page.getByLabel(`Reply to ${phone}`).inputValue()).toBe('');
    expect(await conversation.getByText('Are you open?').count()).toBe(0);
    await receive(phone, 'Thank you!');
    await conversation.getByText('Thank you!').waitFor();
    expect(await findFaults(page)).toEqual([]);
    const sent = await box.service.query<{ sender: string }>(
      `select sender from messages where recipient = $1`,
      [phone],
    );
    expect(sent).toEqual([{ sender: code }]);
    expect(troubles).toEqual([]);
  }, 120_000);

  test('a text is tried against the rules before a phone sends it', async () => {
    await sms.inbound.createKeyword({
      keyword: 'HOURS',
      response: 'We open at eight.',
      matchType: 'contains',
    });
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/inbound/keywords');
    await page.getByLabel('A text from a phone').fill('your hours please');
    await page.getByText('The rule “HOURS” matches').waitFor();
    await page.getByText('Reply: We open at eight.').waitFor();
    await page.getByLabel('A text from a phone').fill('stop');
    await page.getByText('STOP: nothing more is sent to this phone').waitFor();
    await page.getByLabel('A text from a phone').fill('hello');
    await page.getByText('No rule matches').waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);

  test('a message page has the webhooks with their requests and answers, and the list keeps a view', async () => {
    const receiver = createServer((request, response) => {
      request.resume();
      response.end('Noted.');
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    const { id } = await sms.messages.send({ to: '0911234599', text: 'Selam', webhook: { url } });
    const { page, go, troubles } = await box.openSignedIn();
    await go(`/o/demo/messages/${id}`);
    await page.getByRole('button', { name: /message\.delivered.*Delivered/ }).click({ timeout: 60_000 });
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('region', { name: 'Request body' })
      .getByText('"event": "message.delivered"')
      .waitFor();
    await dialog.getByText('Noted.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    receiver.close();

    await go('/o/demo/messages?status=failed&environment=live');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save these filters' }).click();
    await page.getByLabel('Name of the view').fill('Live failures');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The view “Live failures” is saved').waitFor();
    await go('/o/demo/messages');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Live failures' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByRole('button', { name: 'Live failures' }).waitFor();
    expect(troubles).toEqual([]);
  }, 120_000);

  test('the name and the time zone of the organization are changed, and other metadata stay', async () => {
    const { organizationId } = box.service.demo;
    await box.service.query(`update organizations set metadata = '{"crm":7}' where id = $1`, [
      organizationId,
    ]);
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/settings');
    await page.getByLabel('Name', { exact: true }).fill('Abay Parcels');
    await page.getByLabel('Time zone').fill('Africa/Nowhere');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Choose a zone from the list').waitFor();
    await page.getByLabel('Time zone').fill('Africa/Nairobi');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved').waitFor();
    await page.getByRole('button', { name: /Abay Parcels/ }).waitFor();
    const [stored] = await box.service.query<{ metadata: string }>(
      'select metadata from organizations where id = $1',
      [organizationId],
    );
    expect(JSON.parse(stored!.metadata)).toEqual({ crm: 7, timezone: 'Africa/Nairobi' });
    expect(troubles).toEqual([]);
  }, 60_000);

  test('how long personal data is kept is set, and an empty field keeps it', async () => {
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/settings');
    await page.getByLabel('Texts of messages, days').fill('3');
    await page.getByRole('button', { name: 'Save the retention' }).click();
    await page.getByText('Enter a number of days from 7 to 3650').waitFor();
    await page.getByLabel('Texts of messages, days').fill('30');
    await page.getByRole('button', { name: 'Save the retention' }).click();
    await page.getByText('The retention is saved').waitFor();
    const rules = await box.service.query(
      'select text_days, number_days from retention_rules where organization_id = $1',
      [box.service.demo.organizationId],
    );
    expect(rules).toEqual([{ text_days: 30, number_days: null }]);
    expect(await findFaults(page)).toEqual([]);
    expect(troubles).toEqual([]);
  }, 60_000);

  test('security codes are shown as a funnel, by day and by country', async () => {
    const { messageId } = await sms.securityCodes.send({ to: '0911234598' });
    await until('the delivery of the code', async () => {
      const [row] = await box.service.query<{ status: string }>('select status from messages where id = $1', [
        messageId,
      ]);
      return row?.status === 'delivered';
    });
    await box.service.query(`update security_codes set status = 'verified', verified_at = now()`);
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/security-codes');
    await page.getByText('of the codes that have ended were verified').waitFor();
    await page.getByRole('listitem').filter({ hasText: '+251' }).getByText('100% verified').waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(troubles).toEqual([]);
  }, 90_000);

  test('an administrator finds a failed message, its workflow and its redrive, and who did what', async () => {
    const { id } = await sms.messages.send({ to: unreachable, text: 'Selam' });
    await until('the failure', async () => (await sms.messages.get(id)).status === 'failed');
    const { page, go, troubles } = await asAdministrator();
    await go('/admin/organizations');
    await rowWith(page, 'demo').getByRole('link').click();
    await rowWith(page, unreachable).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    const workflow = dialog.getByRole('link', { name: /^messages\// });
    // The page of the workflow exists.
    expect((await page.context().request.get((await workflow.getAttribute('href'))!)).ok()).toBe(true);
    await dialog.getByRole('link', { name: 'Redrive from this one on …' }).click();
    const form = page.getByRole('dialog', { name: 'Start a redrive' });
    await form.getByRole('button', { name: 'Start it' }).click();
    await page.getByText('1', { exact: true }).first().waitFor();
    await until('the redriven message', async () => {
      const rows = await box.service.query('select 1 from messages where redriven_from = $1', [id]);
      return rows.length === 1;
    });
    await go('/admin/audit-events');
    const { adminEmail } = box.service.demo;
    const [administrator] = await box.service.query<{ name: string }>(
      'select name from users where email = $1',
      [adminEmail],
    );
    await rowWith(page, administrator!.name).waitFor();
    expect(troubles).toEqual([]);
  }, 120_000);
});
