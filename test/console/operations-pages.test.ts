import {
  describeInChromium,
  findFaults,
  startConsole,
  type ConsoleBox,
  type Window,
} from '../helpers/console.ts';

/** The pages of operators: the address, a text that the page shows once it is complete, and who looks at it. */
const pages: [path: string, text: string, reader: 'owner' | 'administrator'][] = [
  ['/o/demo/webhook-deliveries', 'No deliveries yet', 'owner'],
  ['/o/demo/sender-ids', 'DEMO', 'owner'],
  ['/o/demo/api-keys', 'Demo, live', 'owner'],
  ['/o/demo/schedules', 'No schedules yet', 'owner'],
  ['/o/demo/schedules/new', 'Schedule it', 'owner'],
  ['/o/demo/notifications', 'No notifications yet', 'owner'],
  ['/o/demo/security-codes', 'No codes in this time', 'owner'],
  ['/o/demo/analytics', 'Highest bar: 1 message', 'owner'],
  ['/o/demo/members', 'Demo owner', 'owner'],
  ['/account/security', 'This browser', 'owner'],
  ['/account/activity', 'Signed in', 'owner'],
  ['/invitations', 'No invitation is open', 'owner'],
  ['/o/demo/inbound', 'Nothing was received yet', 'owner'],
  ['/o/demo/inbound/messages', 'Nothing was received yet', 'owner'],
  ['/o/demo/inbound/keywords', 'No rules yet', 'owner'],
  ['/o/demo/audit-events', 'Nothing has happened yet', 'owner'],
  ['/o/demo/settings', 'Requests, one key or person', 'owner'],
  ['/admin/sender-ids', 'Nothing to review', 'administrator'],
  ['/admin/webhook-deliveries', 'No delivery is dead', 'administrator'],
  ['/admin/redrives', 'Nothing was redriven yet', 'administrator'],
  ['/admin/redrives?start=messages', 'Start it', 'administrator'],
  ['/admin/security-codes', 'No alarm lasts', 'administrator'],
  ['/admin/content-rules', 'No rule yet', 'administrator'],
  ['/admin/organizations', 'demo', 'administrator'],
  ['/admin/failed-messages', 'No message has failed', 'administrator'],
  ['/admin/users', 'owner@example.com', 'administrator'],
  ['/admin/audit-events', 'Audit log', 'administrator'],
];

const looks = [{ width: 1440 }, { width: 390, colorScheme: 'dark' as const }];

describeInChromium('every page of the people who operate an organization or the service', () => {
  let box: ConsoleBox;
  const windows = { owner: [] as Window[], administrator: [] as Window[] };

  beforeAll(async () => {
    box = await startConsole();
    await box.service.post({ to: '0911234567', text: 'Selam' });
    const { adminEmail: email, adminPassword: password } = box.service.demo;
    // One sign-in for all pages: each costs as much as a page.
    for (const look of looks) {
      windows.owner.push(await box.openSignedIn(look));
      windows.administrator.push(await box.openSignedIn(look, { email, password }));
    }
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  test.each(pages)(
    '%s breaks no policy, asks nobody else, and has no serious fault for people with disabilities',
    async (path, text, reader) => {
      for (const [index, { page, go, troubles }] of windows[reader].entries()) {
        await go(path);
        await page.getByText(text).locator('visible=true').first().waitFor();
        expect(await findFaults(page)).toEqual([]);
        expect(troubles.splice(0)).toEqual([]);
        // Nothing is wider than the screen.
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          looks[index]!.width,
        );
      }
    },
    60_000,
  );

  test('the pages of administrators do not exist for others', async () => {
    const { page, go } = windows.owner[0]!;
    await go('/admin/users');
    await page.getByText('This page does not exist').waitFor();
  }, 30_000);
});
