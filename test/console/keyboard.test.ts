import type { Locator, Page } from 'playwright-core';
import { SmsClient } from '../../client/src/index.ts';
import { describeInChromium, startConsole, type ConsoleBox, type Window } from '../helpers/console.ts';
import { startMendableReceiver, type MendableReceiver } from '../helpers/mendable-receiver.ts';

const mostStops = 120;

/** Whether a sighted person sees where the keyboard is: an outline, a highlighted item, or a part of the page itself. */
const seesFocus = `(() => {
  const element = document.activeElement;
  const hasOutline = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
  return element === document.body || element.tabIndex === -1 || 'highlighted' in element.dataset ||
    hasOutline(getComputedStyle(element)) || hasOutline(getComputedStyle(element, '::after'));
})()`;

/** Presses Tab until the target has the focus. Each stop on the way must be visible. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  const focused = page.locator(':focus').and(target);
  const unseen: string[] = [];
  for (let stop = 0; stop < mostStops; stop++) {
    if ((await focused.count()) > 0) {
      expect(unseen).toEqual([]);
      return;
    }
    await page.keyboard.press(key);
    if (!(await page.evaluate<boolean>(seesFocus)))
      unseen.push(await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)'));
  }
  throw new Error(`Tab does not reach ${String(target)}.`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

describeInChromium('a person who uses no mouse', () => {
  let box: ConsoleBox;
  let receiver: MendableReceiver;
  let window: Window;

  beforeAll(async () => {
    receiver = await startMendableReceiver();
    box = await startConsole();
    const { demo } = box.service;
    const { organizationId } = demo;
    const sms = new SmsClient({ baseUrl: demo.baseUrl, apiKey: demo.liveApiKey });
    const { id } = await sms.contacts.create({
      organizationId,
      phoneNumber: '0933000001',
      firstName: 'Marta',
    });
    const { id: phonebookId } = await sms.contactLists.create({ name: 'Guests' });
    await sms.contactLists.replaceMembers(phonebookId, { organizationId, contactIds: [id] });
    window = await box.open();
  }, 180_000);

  afterAll(async () => {
    await box?.stop();
    await receiver?.stop();
  }, 60_000);

  test('signs in, skips the navigation, sends a message, and arrives at it', async () => {
    const { page, go, troubles } = window;
    await go('/o/demo');
    await typeInto(page, page.getByLabel('E-mail address'), box.service.demo.ownerEmail);
    await typeInto(page, page.getByLabel('Password', { exact: true }), box.service.demo.ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    // A new page begins at its top.
    await go('/o/demo');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await page.locator(':focus').and(skip).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    await page.keyboard.press('Tab');
    await page
      .locator(':focus')
      .and(page.getByRole('link', { name: 'Send a message' }).first())
      .waitFor();
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Send a message' }).waitFor();
    // The keyboard is at the page that the link led to.
    await page.locator('main:focus').waitFor();
    await typeInto(page, page.getByLabel('Recipient'), '0911234567');
    await typeInto(page, page.getByLabel('Text', { exact: true }), 'Selam');
    await press(page, page.getByRole('button', { name: 'Send now' }));
    await page.getByRole('heading', { name: 'Message to +251911234567' }).waitFor();
    await page.getByText('Report: delivered to the phone').waitFor();
    await page.locator('main:focus').waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);

  test('makes a bulk batch, from the phonebook to the end of sending', async () => {
    const { page, troubles } = window;
    await tabTo(page, page.getByRole('link', { name: 'Bulk SMS' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('link', { name: 'Send to many' }).first());
    // A choice: the arrows move, Enter takes.
    const campaign = page.getByRole('combobox', { name: 'Campaign' });
    await press(page, campaign);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator(':focus').and(campaign).waitFor();
    await press(page, page.getByRole('button', { name: 'Next', exact: true }));
    await typeInto(page, page.getByLabel('Text', { exact: true }), 'Selam Marta');
    await press(page, page.getByRole('button', { name: 'Next', exact: true }));
    await press(page, page.getByRole('button', { name: 'Send now' }));
    await page.getByRole('heading', { name: 'Batch of “Guests”' }).waitFor();
    await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 45_000 });
    expect(troubles).toEqual([]);
  }, 90_000);

  test('redrives a dead webhook, and is back at its row after the dialog', async () => {
    await box.service.post({ to: '0911234567', text: 'Selam', webhook: { url: receiver.url } });
    const { page, go, troubles } = window;
    await go('/o/demo/webhook-deliveries?status=dead');
    const row = page.getByRole('button', { name: 'message.delivered' });
    await row.waitFor({ timeout: 45_000 });
    receiver.mend();
    await press(page, row);
    const dialog = page.getByRole('dialog');
    await dialog.locator(':focus').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator(':focus').and(row).waitFor();
    await page.keyboard.press('Enter');
    await press(page, dialog.getByRole('button', { name: 'Redrive' }));
    await page.getByText('The delivery is attempted again').waitFor();
    await row.waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
  }, 90_000);

  test('opens a menu with the arrows and leaves it with Escape, and the focus is back at its button', async () => {
    const { page, go } = window;
    await go('/o/demo');
    const menu = page.getByRole('button', { name: 'Demo owner' });
    await tabTo(page, menu);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(':focus').and(menu).waitFor();
  }, 60_000);

  test('goes from the menu to the second factor, up to the code of the app, and back', async () => {
    const { page, go, troubles } = window;
    await go('/o/demo');
    await press(page, page.getByRole('button', { name: 'Demo owner' }));
    await page.getByRole('menuitem', { name: 'Security' }).waitFor();
    // The first letters of an item lead to it.
    await page.keyboard.type('Sec');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Security', exact: true }).waitFor();
    const begin = page.getByRole('button', { name: 'Turn it on' });
    await press(page, begin);
    const dialog = page.getByRole('dialog');
    await typeInto(page, dialog.getByLabel('Password'), box.service.demo.ownerPassword);
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByLabel('Code of the app'));
    await page.keyboard.press('Escape');
    await page.locator(':focus').and(begin).waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);

  test('who wants less motion gets none: neither a transition nor an animation is longer than 10 ms', async () => {
    const { page, go } = window;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const longest = `Math.max(...[...document.querySelectorAll('*')].flatMap((element) =>
      [undefined, '::before', '::after'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo);
        return [style.transitionDuration, style.animationDuration].flatMap((list) =>
          list.split(',').map((one) => parseFloat(one) * (one.trim().endsWith('ms') ? 1 : 1000)));
      })))`;
    for (const path of ['/o/demo', '/o/demo/messages', '/o/demo/templates']) {
      await go(path);
      await page.getByRole('heading').first().waitFor();
      expect(await page.evaluate<number>(longest)).toBeLessThanOrEqual(10);
    }
    await press(page, page.getByRole('button', { name: 'New template' }));
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate<number>(longest)).toBeLessThanOrEqual(10);
    const running = `document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 10).length`;
    expect(await page.evaluate<number>(running)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate<number>(longest)).toBeGreaterThan(10);
  }, 60_000);
});
