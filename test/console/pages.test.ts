import { basename } from 'node:path';
import { SmsClient } from '../../client/src/index.ts';
import {
  describeInChromium,
  findFaults,
  startConsole,
  untilQuiet,
  type ConsoleBox,
} from '../helpers/console.ts';

/** Every page: its address, and a text that it shows once it is complete. */
const pages: [path: string, text: string, access: 'signed in' | 'signed out'][] = [
  ['/sign-in', 'Forgotten your password?', 'signed out'],
  ['/sign-up', 'You have an account?', 'signed out'],
  ['/forgotten-password', 'Send the link', 'signed out'],
  ['/reset-password?token=abc', 'Set the password', 'signed out'],
  ['/reset-password?error=INVALID_TOKEN', 'This link is not valid', 'signed out'],
  ['/confirm-address', 'Your address is confirmed', 'signed out'],
  ['/new-organization', 'Create the organization', 'signed in'],
  ['/o/demo', 'First steps', 'signed in'],
  ['/o/demo/messages', '+251911234567', 'signed in'],
  ['/o/demo/messages?status=cancelled', 'No message matches', 'signed in'],
  ['/o/demo/messages/send', 'Send now', 'signed in'],
  ['/o/demo/messages/MESSAGE', 'Report: delivered to the phone', 'signed in'],
  ['/o/demo/contacts', '+251933000001', 'signed in'],
  ['/o/demo/contacts?search=nobody', 'No contact matches', 'signed in'],
  ['/o/demo/contacts/import', 'Choose a CSV file', 'signed in'],
  ['/o/demo/phonebooks', 'Guests', 'signed in'],
  ['/o/demo/phonebooks/PHONEBOOK', '+251933000001', 'signed in'],
  ['/o/demo/bulk-sms', 'Selam {{firstName}}', 'signed in'],
  ['/o/demo/bulk-sms/new', 'To whom', 'signed in'],
  ['/o/demo/bulk-sms/BATCH', 'Completed', 'signed in'],
  ['/o/demo/campaigns', 'Opening', 'signed in'],
  ['/o/demo/templates', 'No templates yet', 'signed in'],
  ['/o/demo/suppressions', 'Nobody is suppressed', 'signed in'],
  ['/o/not-mine', 'This page does not exist', 'signed in'],
];

interface Audience {
  phonebookId: string;
  bulkSmsId: string;
}

/** Sends a batch to a phonebook of one contact. */
async function sendToGuests({ service: { demo } }: ConsoleBox): Promise<Audience> {
  const sms = new SmsClient({ baseUrl: demo.baseUrl, apiKey: demo.liveApiKey });
  const { organizationId } = demo;
  const contact = await sms.contacts.create({
    organizationId,
    phoneNumber: '0933000001',
    firstName: 'Marta',
  });
  const { id: contactListId } = await sms.contactLists.create({ name: 'Guests' });
  await sms.contactLists.replaceMembers(contactListId, { organizationId, contactIds: [contact.id] });
  const { id: campaignId } = await sms.campaigns.create({ organizationId, name: 'Opening' });
  const batch = await sms.bulkSms.create({ campaignId, contactListId, text: 'Selam {{firstName}}' });
  return { phonebookId: contactListId, bulkSmsId: batch.id };
}

const firstLoadLimitBytes = 250_000;
const laterPageLimitBytes = 100_000;

describeInChromium('every page of the console', () => {
  let box: ConsoleBox;
  let messageId: string;
  let audience: Audience;

  beforeAll(async () => {
    box = await startConsole();
    const answer = await box.service.post({ to: '0911234567', text: 'Selam' });
    if (!('message' in answer)) throw new Error(`The message was answered with ${answer.status}.`);
    messageId = answer.message.id;
    audience = await sendToGuests(box);
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  test.each(pages)(
    '%s breaks no policy, asks nobody else, and has no serious fault for people with disabilities',
    async (path, text, access) => {
      for (const options of [{ width: 1440 }, { width: 390, colorScheme: 'dark' as const }]) {
        const { page, go, troubles, context } = await (access === 'signed in'
          ? box.openSignedIn(options)
          : box.open(options));
        await go(
          path
            .replace('MESSAGE', messageId)
            .replace('PHONEBOOK', audience.phonebookId)
            .replace('BATCH', audience.bulkSmsId),
        );
        await page.getByText(text).locator('visible=true').first().waitFor();
        expect(await findFaults(page)).toEqual([]);
        expect(troubles).toEqual([]);
        // Nothing is wider than the screen.
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          options.width,
        );
        await context.close();
      }
    },
    60_000,
  );

  test.each(['/sign-in', '/o/demo'])(
    'the first load of %s transfers at most 250 kB, and of fonts only the Latin letters',
    async (path) => {
      const { page, go, takeTransferredBytes } = await (path === '/sign-in'
        ? box.open()
        : box.openSignedIn());
      const fonts = new Set<string>();
      page.on('request', (request) => {
        // The build puts a hash of eight characters behind the name.
        if (request.resourceType() === 'font') fonts.add(basename(request.url()).slice(0, -15));
      });
      await go(path);
      await page.getByRole('heading').first().waitFor();
      await untilQuiet(page);
      expect(takeTransferredBytes()).toBeLessThanOrEqual(firstLoadLimitBytes);
      // The second one has the four letters of the name of the Amharic language, and nothing else.
      expect([...fonts].filter((name) => name !== 'amharic-name')).toEqual(['inter-latin']);
    },
    60_000,
  );

  test('each page after the first one transfers at most 100 kB', async () => {
    const { page, go, takeTransferredBytes } = await box.openSignedIn();
    const arrive = async (heading: string): Promise<number> => {
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await untilQuiet(page);
      return takeTransferredBytes();
    };
    await go('/o/demo');
    await arrive('Overview');
    for (const name of ['Webhook deliveries', 'Analytics', 'Schedules', 'Members', 'API keys']) {
      await page.getByRole('link', { name, exact: true }).click();
      expect(await arrive(name)).toBeLessThanOrEqual(laterPageLimitBytes);
    }
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    expect(await arrive('Messages')).toBeLessThanOrEqual(laterPageLimitBytes);
    await page.getByRole('link', { name: '+251911234567' }).first().click();
    expect(await arrive('Message to +251911234567')).toBeLessThanOrEqual(laterPageLimitBytes);
    await page.getByRole('link', { name: 'Send again' }).click();
    expect(await arrive('Send a message')).toBeLessThanOrEqual(laterPageLimitBytes);
    for (const name of ['Bulk SMS', 'Campaigns', 'Templates', 'Contacts', 'Phonebooks', 'Suppressions']) {
      await page.getByRole('link', { name, exact: true }).first().click();
      expect(await arrive(name)).toBeLessThanOrEqual(laterPageLimitBytes);
    }
  }, 60_000);

  test('the policy holds: neither markup nor a style that a page is made to contain has an effect', async () => {
    const { page, go } = await box.open();
    await go('/sign-in');
    const markup = page.evaluate(`document.body.innerHTML = '<img src=x onerror="alert(1)">'`);
    await expect(markup).rejects.toThrow('TrustedHTML');
    const blocked = await page.evaluate<string>(`new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      document.body.setAttribute('style', 'display: none');
    })`);
    expect(blocked).toBe('style-src-attr');
  }, 30_000);
});
