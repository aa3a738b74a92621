import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describeInChromium, findFaults, startConsole, type ConsoleBox } from '../helpers/console.ts';
import { startMendableReceiver, type MendableReceiver } from '../helpers/mendable-receiver.ts';

const run = promisify(execFile);

describeInChromium('the people who operate an organization and the service', () => {
  let box: ConsoleBox;
  let receiver: MendableReceiver;

  beforeAll(async () => {
    [box, receiver] = await Promise.all([startConsole(), startMendableReceiver()]);
  }, 180_000);

  afterAll(async () => {
    await box?.stop();
    await receiver?.stop();
  }, 60_000);

  const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first();

  test('see why a webhook is dead, mend the receiver, redrive it, and see it delivered', async () => {
    const answer = await box.service.post({
      to: '0911234567',
      text: 'Selam',
      webhook: { url: receiver.url },
    });
    expect(answer.status).toBe(202);
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/webhook-deliveries?status=dead');
    await rowWith(page, 'message.delivered').getByText('HTTP 410').waitFor();
    await rowWith(page, 'message.delivered').getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This receiver wants no more.').waitFor();
    await dialog.getByRole('row').filter({ hasText: 'HTTP 410' }).waitFor();

    receiver.mend();
    await dialog.getByRole('button', { name: 'Redrive' }).click();
    await page.getByText('The delivery is attempted again').waitFor();
    await go('/o/demo/webhook-deliveries?status=delivered');
    await rowWith(page, 'message.delivered').getByText('HTTP 200').waitFor();

    await go('/o/demo/webhook-deliveries?status=dead');
    await page.getByRole('button', { name: 'Redrive all dead' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive all dead' }).click();
    await page.getByRole('dialog').getByText('2 deliveries are attempted again').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await page.getByText('No delivery matches').waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);

  test('request a sender, and see its review by an administrator at once, without reloading the page', async () => {
    const value = `Abay${randomUUID().slice(0, 4)}`;
    const owner = await box.openSignedIn();
    await owner.go('/o/demo/sender-ids');
    await owner.page.getByRole('button', { name: 'Request a sender' }).click();
    await owner.page.getByLabel('Sender', { exact: true }).fill(value);
    await owner.page.getByLabel('What you send').fill('Tells customers where their parcels are.');
    await owner.page.getByLabel('A typical message').fill('Your parcel is here.');
    await owner.page.getByRole('button', { name: 'Request it' }).click();
    await rowWith(owner.page, value).getByText('In review').waitFor();

    const { adminEmail: email, adminPassword: password } = box.service.demo;
    const administrator = await box.openSignedIn({}, { email, password });
    await administrator.go('/admin/sender-ids');
    await rowWith(administrator.page, value).getByRole('button').click();
    await administrator.page.getByRole('dialog').getByText('Your parcel is here.').waitFor();
    await administrator.page.getByRole('button', { name: 'Reject …' }).click();
    await administrator.page.getByLabel('Reason').fill('Show that the name is yours.');
    await administrator.page.getByRole('button', { name: 'Reject it' }).click();
    await rowWith(owner.page, value).getByText('Rejected').waitFor();
    await owner.page.getByRole('link', { name: /Notifications, \d+ unread/ }).waitFor();

    await rowWith(owner.page, value).getByRole('button').click();
    await owner.page.getByRole('button', { name: 'Change and resubmit' }).click();
    await owner.page.getByLabel('What you send').fill('We own the company Abay: it tells where parcels are.');
    await owner.page.getByRole('button', { name: 'Request it' }).click();
    await rowWith(administrator.page, value).getByRole('button').click();
    await administrator.page.getByRole('button', { name: 'Approve', exact: true }).click();
    await rowWith(owner.page, value).getByText('Approved').waitFor();
    expect([...owner.troubles, ...administrator.troubles]).toEqual([]);
  }, 60_000);

  test('create a key that is shown once, use it with the curl that is shown, and revoke it', async () => {
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/api-keys');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Order service');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const command = await page.getByRole('region', { name: 'Command' }).innerText();
    const { stdout } = await run('bash', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ to: '+251911234567', environment: 'test' });
    await page.getByRole('button', { name: 'I have stored it' }).click();

    await rowWith(page, 'Order service').getByRole('button').click();
    await page.getByRole('button', { name: 'Revoke …' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await rowWith(page, 'Order service').getByText('Revoked').waitFor();
    const refused = JSON.parse((await run('bash', ['-c', command])).stdout) as { status: number };
    expect(refused.status).toBe(401);
    expect(troubles).toEqual([]);
  }, 60_000);

  test('invite a member, who confirms their address, joins, and may neither see keys, the audit log and settings nor change members', async () => {
    const email = `${randomUUID()}@example.com`;
    const owner = await box.openSignedIn();
    await owner.go('/o/demo/members');
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await owner.page.getByLabel('E-mail address').fill(email);
    await owner.page.getByRole('button', { name: 'Send the invitation' }).click();
    await owner.page.getByRole('listitem').filter({ hasText: email }).waitFor();

    // The link in the mail of the invitation.
    const invitee = await box.open();
    await invitee.page.goto(await box.linkMailed(email, '/console/invitations'));
    await invitee.page.getByRole('link', { name: 'Create an account' }).click();
    await invitee.page.getByLabel('Your name').fill('Tirunesh Dibaba');
    await invitee.page.getByLabel('E-mail address').fill(email);
    await invitee.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await invitee.page.getByRole('button', { name: 'Create an account' }).click();
    await invitee.page.getByText('Confirm your address first').waitFor();
    await invitee.page.goto(await box.linkMailed(email, '/verify-email'));
    await invitee.page.getByRole('button').click();
    await invitee.page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();

    await invitee.go('/invitations');
    await invitee.page.getByRole('button', { name: 'Accept' }).click();
    await invitee.page.getByRole('link', { name: 'Sender IDs' }).waitFor();
    for (const hidden of ['API keys', 'Audit log', 'Settings'])
      expect([hidden, await invitee.page.getByRole('link', { name: hidden }).count()]).toEqual([hidden, 0]);
    for (const path of ['api-keys', 'audit-events', 'settings']) {
      await invitee.go(`/o/demo/${path}`);
      await invitee.page.getByText('You may not see this').waitFor();
      expect(await findFaults(invitee.page)).toEqual([]);
    }
    await invitee.go('/o/demo/members');
    await rowWith(invitee.page, 'Tirunesh Dibaba').waitFor();
    expect(await invitee.page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    expect(await rowWith(invitee.page, 'Demo owner').getByRole('button').count()).toBe(0);
    await owner.page.reload();
    await rowWith(owner.page, 'Tirunesh Dibaba').getByText('Member').waitFor();
    expect(owner.troubles).toEqual([]);
  }, 60_000);

  test('see why security codes to a prefix are refused, release it, and make it exempt', async () => {
    const { organizationId, adminEmail: email, adminPassword: password } = box.service.demo;
    await box.service.query(
      `insert into security_code_alarms (id, organization_id, prefix, holds, codes, verified, raised_at, ends_at)
        values (gen_random_uuid(), $1, '+254711', true, 214, 3, now(), now() + interval '12 hours')`,
      [organizationId],
    );
    const { page, go, troubles } = await box.openSignedIn({}, { email, password });
    await go('/admin/security-codes');
    await rowWith(page, '+254711').getByText('3 of 214').waitFor();
    await rowWith(page, '+254711').getByText('Codes refused').waitFor();
    await page.getByRole('button', { name: 'Release +254711 of' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('No alarm lasts').waitFor();
    await go('/admin/security-codes?show=all');
    await rowWith(page, '+254711').getByText('Ended').waitFor();

    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('An alarm lasts (hours)').fill('721');
    await page.getByLabel('Exempt prefixes').fill('254711');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a whole number from 1 to 720.').waitFor();
    await page.getByText('A prefix is a plus sign and 1 to 6 digits.').waitFor();
    await page.getByLabel('An alarm lasts (hours)').fill('6');
    await page.getByLabel('Exempt prefixes').fill('+254711\n+1');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved').waitFor();
    const stored = await box.service.query('select hold_hours, exempt_prefixes from security_code_watch');
    expect(stored).toEqual([{ hold_hours: 6, exempt_prefixes: ['+1', '+254711'] }]);
    expect(troubles).toEqual([]);
  }, 60_000);

  test('forbid a link, see a message with it refused, change the rule and delete it', async () => {
    const { adminEmail: email, adminPassword: password, liveApiKey } = box.service.demo;
    const { page, go, troubles } = await box.openSignedIn({}, { email, password });
    await go('/admin/content-rules');
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Reason').fill('No shorteners.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter 1 to 100 lines').waitFor();
    await page.getByLabel('Phrases or hosts').fill('you won');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rule is saved').waitFor();
    const message = { to: '0911234567', text: 'You won' };
    expect(await box.service.post(message, liveApiKey)).toMatchObject({
      status: 422,
      code: 'content_refused',
    });

    await rowWith(page, 'you won').getByRole('button').click();
    await page.getByLabel('Phrases or hosts').fill('lottery');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowWith(page, 'lottery').waitFor();
    await rowWith(page, 'lottery').getByRole('button').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete this rule?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('No rule yet').waitFor();
    expect(await box.service.query('select id from content_rules')).toEqual([]);
    expect(troubles).toEqual([]);
  }, 60_000);

  test('act as a user under a bar that says so, and become themselves again', async () => {
    const { ownerEmail, adminEmail: email, adminPassword: password } = box.service.demo;
    const { page, go, troubles } = await box.openSignedIn({}, { email, password });
    await go('/admin/users');
    await page.getByRole('button', { name: ownerEmail }).click();
    await page.getByRole('button', { name: 'Act as this user' }).click();
    const bar = page.getByRole('status').filter({ hasText: `(${ownerEmail})` });
    await bar.waitFor();
    await go('/o/demo/messages');
    await bar.getByRole('button', { name: 'Be yourself again' }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    expect(await bar.count()).toBe(0);
    expect(troubles).toEqual([]);
  }, 60_000);
});
