import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describeInChromium, findFaults, startConsole, type ConsoleBox } from '../helpers/console.ts';

const sources = join(dirname(fileURLToPath(import.meta.url)), '../../console/src');

type Catalogue = Record<string, string | { one: string; other: string }>;

async function readAmharic(file: string): Promise<Catalogue> {
  return ((await import(join(sources, file))) as { am: Catalogue }).am;
}

/** Every text of the English catalogues that the Amharic ones translate, as a pattern: `{name}` stands for anything. */
async function readEnglishTexts(): Promise<RegExp[]> {
  const patterns: RegExp[] = [];
  for (const file of globSync('**/*text.en.ts', { cwd: sources })) {
    const { en } = (await import(join(sources, file))) as { en: Catalogue };
    const am = await readAmharic(file.replace('.en.', '.am.'));
    const forms = (text: Catalogue[string]): string[] =>
      typeof text === 'string' ? [text] : [text.one, text.other];
    for (const [key, text] of Object.entries(en)) {
      for (const form of forms(text)) {
        const words = form.replaceAll(/\{\w+\}/g, '');
        if (!/[A-Za-z]{2}/.test(words) || forms(am[key]!).includes(form)) continue;
        const parts = form.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        patterns.push(new RegExp(`^${parts.join('.+')}$`));
      }
    }
  }
  return patterns;
}

/** What the page says to those who see it and to those who hear it. */
const readTexts = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(node.getAttribute(name) ?? '');
  }
  return texts.map((text) => text.trim()).filter((text) => text !== '');
})()`;

describeInChromium('a person who reads Amharic, on a phone', () => {
  let box: ConsoleBox;
  let english: RegExp[];

  beforeAll(async () => {
    [box, english] = await Promise.all([startConsole(), readEnglishTexts()]);
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  const englishOn = async (page: Page): Promise<string[]> => {
    const texts = await page.evaluate<string[]>(readTexts);
    // The organization and the user of the demo have English names, and the language is named in itself.
    const own = ['Demo', 'Demo owner', 'English'];
    return texts.filter((text) => !own.includes(text) && english.some((pattern) => pattern.test(text)));
  };

  test('signs in, sends Amharic, watches it arrive, and goes back to English', async () => {
    const [auth, messages, shell] = await Promise.all(
      ['features/auth', 'features/messages', 'shell'].map((folder) => readAmharic(`${folder}/text.am.ts`)),
    );
    const { page, go, troubles } = await box.open({ locale: 'am-ET', width: 390 });
    const expectAmharic = async (): Promise<void> => {
      expect(await englishOn(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    };
    await go('/o/demo/messages/send');
    await page.getByLabel(auth!['email'] as string).fill(box.service.demo.ownerEmail);
    await expectAmharic();
    await page.getByLabel(auth!['password'] as string, { exact: true }).fill(box.service.demo.ownerPassword);
    await page.getByRole('button', { name: auth!['signIn'] as string, exact: true }).click();

    await page.getByRole('heading', { name: messages!['sendTitle'] as string }).waitFor();
    await page.getByLabel(messages!['recipient'] as string, { exact: true }).fill('0911234567');
    const text = 'ሰላም! ትዕዛዝዎ ደርሷል።';
    await page.getByLabel(messages!['text'] as string, { exact: true }).fill(text);
    await page
      .getByText(messages!['ucs2'] as string)
      .first()
      .waitFor();
    await page
      .getByText((messages!['meterSegments'] as { one: string }).one.replace('{count}', '1'))
      .first()
      .waitFor();
    await expectAmharic();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: messages!['sendNow'] as string }).click();

    await page.getByText(messages!['report_delivered'] as string).waitFor();
    await page.getByText(text).first().waitFor();
    await expectAmharic();

    await go('/o/demo/messages');
    await page
      .getByRole('cell', { name: messages!['delivered'] as string })
      .first()
      .waitFor();
    await expectAmharic();

    await page.getByRole('button', { name: shell!['openNavigation'] as string }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Demo owner' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
    await expectAmharic();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    // The catalogue finds English: without that, it would prove nothing above.
    await page.getByRole('heading', { name: 'Messages', includeHidden: true }).waitFor();
    expect(await englishOn(page)).toContain('Messages');
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('en');
    expect(troubles).toEqual([]);
  }, 90_000);
});
