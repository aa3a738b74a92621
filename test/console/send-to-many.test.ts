import type { Page } from 'playwright-core';
import { describeInChromium, startConsole, type ConsoleBox } from '../helpers/console.ts';

const rowCount = 1500;

/** A spreadsheet as a shop keeps it, with two rows that are no contacts and one that occurs twice. */
function writeSheet(): string {
  const rows = Array.from({ length: rowCount }, (_, index) => `09${11_000_000 + index};Abebe;Adama`);
  return ['Mobile;First name;Town', ...rows, '2.51911E+11;Broken;Adama', '12;Short;', rows[0]].join('\n');
}

/** The ledger as the page shows it at one moment. */
async function readLedger(page: Page): Promise<Record<string, number>> {
  return page.evaluate<Record<string, number>>(`Object.fromEntries(
    [...document.querySelectorAll('[data-ledger]')].map((figure) => [
      figure.dataset.ledger,
      Number(figure.textContent.replaceAll(',', '')),
    ]),
  )`);
}

/** Fails unless the figures that are shown add up to the total that is shown. */
async function expectBalanced(page: Page): Promise<Record<string, number>> {
  const ledger = await readLedger(page);
  const { total, ...parts } = ledger;
  expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total);
  return ledger;
}

describeInChromium('a campaign manager who has never seen the API', () => {
  let box: ConsoleBox;

  beforeAll(async () => {
    box = await startConsole();
  }, 180_000);

  afterAll(() => box?.stop(), 60_000);

  test('imports a spreadsheet, sends to it, pauses, resumes, and sees a ledger that adds up at each look', async () => {
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/contacts');
    await page.getByRole('link', { name: 'Import a file' }).first().click();
    await page.getByLabel('Choose a CSV file').setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(writeSheet()),
    });
    // What the columns become is shown before anything is stored.
    await page.getByRole('combobox', { name: 'What “Town” is' }).getByText('Custom field').waitFor();
    await page.getByRole('button', { name: 'Import 1,503 rows' }).click();
    await page.getByText('Mobile was shortened by a spreadsheet').waitFor();
    const rejects = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download to correct' }).click();
    expect((await rejects).suggestedFilename()).toMatch(/^rejects-.*\.csv$/);
    await page.getByText('1,500 contacts were added.').waitFor();

    await page.getByRole('link', { name: 'Send them a text' }).click();
    await page.getByLabel('Name of the campaign').fill('Opening');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel('Text', { exact: true }).fill('Selam {{firstName|there}}, we open in ');
    await page.getByRole('button', { name: 'Insert a field' }).click();
    await page.getByRole('menuitem', { name: '{{customFields.Town}}' }).click();
    // The preview has the values of a real contact, and the estimate counts all of them.
    await page.getByText('Selam Abebe, we open in Adama').waitFor();
    await page.getByText('Segments of the longest').waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Send now' }).click();

    await page.getByRole('heading', { name: 'Batch of “Opening”' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The batch is paused').first().waitFor();
    const paused = await expectBalanced(page);
    expect(paused['total']).toBe(rowCount);
    await page.getByRole('button', { name: 'Change the rate' }).click();
    await page.getByLabel('Messages a second, at most').fill('500');
    await page.getByRole('dialog').getByRole('button', { name: 'Change the rate' }).click();
    await page.getByText('Limited to 500 a second').waitFor();
    await expectBalanced(page);

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expectBalanced(page);
    await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 30_000 });
    await expectBalanced(page);
    await page.locator('[data-ledger=delivered]', { hasText: '1,500' }).waitFor({ timeout: 30_000 });
    expect(await expectBalanced(page)).toMatchObject({ total: rowCount, queued: 0, failed: 0 });
    const recipient = page.getByRole('row').filter({ hasText: '+251911000000' });
    await recipient.getByText('Delivered').waitFor();
    expect(troubles).toEqual([]);
  }, 90_000);

  test('says before the text is written that no sender is approved, and stops at what cannot be sent', async () => {
    const { page, go, troubles } = await box.openSignedIn();
    await go('/new-organization');
    await page.getByLabel('Name', { exact: true }).fill('Without a sender');
    await page.getByRole('button', { name: 'Create the organization' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await go('/o/without-a-sender/contacts/import');
    await page.getByLabel('Choose a CSV file').setInputFiles({
      name: 'guests.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('phone,first name\n0911000001,Sara\n'),
    });
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('link', { name: 'Send them a text' }).click();
    await page.getByText('There is no sender to send from').waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();

    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Selam {{first name}}');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('Choose the fields from “Insert a field”.').waitFor();
    expect(await page.getByText('What will be sent').count()).toBe(0);
    await text.fill('Selam {{firstName}}');
    await page.getByText('Counted as Sara gets it').waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    // What is about to be sent is shown beside the last button.
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.getByRole('figure').getByText('Selam {{firstName}}').waitFor();
    expect(troubles).toEqual([]);

    // What the API refuses is shown at its field, on the step that has it.
    await page.getByRole('button', { name: 'Back' }).click();
    await text.fill('Selam\u0000');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Must hold no NUL').waitFor();
    await page.getByRole('link', { name: 'See the sender IDs' }).click();
    await page.getByRole('heading', { name: 'Sender IDs', exact: true }).waitFor();
  }, 60_000);

  test('tells the import which column is which, and leaves one out', async () => {
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/contacts/import');
    await page.getByLabel('Choose a CSV file').setInputFiles({
      name: 'members.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('who,reach at,"secret, private"\n"Hana, B.",0922000001,x\n'),
    });
    await page.getByText('No column has the numbers').waitFor();
    const choose = async (column: string, meaning: string): Promise<void> => {
      await page.getByRole('combobox', { name: `What “${column}” is` }).click();
      await page.getByRole('option', { name: meaning, exact: true }).click();
    };
    await choose('reach at', 'Number');
    await choose('who', 'First name');
    await choose('secret, private', 'Leave out');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('1 contact was added.').waitFor();
    const [contact] = await box.service.query<{ first_name: string; custom_fields: object }>(
      `select first_name, custom_fields from contacts where phone_number = '+251922000001'`,
    );
    expect(contact).toEqual({ first_name: 'Hana, B.', custom_fields: {} });
    expect(troubles).toEqual([]);
  }, 60_000);

  test('finds, changes and deletes a contact, and suppresses a number, which the next estimate skips', async () => {
    const { page, go, troubles } = await box.openSignedIn();
    await go('/o/demo/contacts');
    await page.getByRole('button', { name: 'New contact' }).click();
    await page.getByLabel('Number', { exact: true }).fill('0933000001');
    await page.getByLabel('First name').fill('Marta');
    await page.getByLabel('More fields').fill('points = 20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('+251933000001 is saved').waitFor();
    await page.getByLabel('Search name, number, company or tag').fill('marta');
    await page.getByRole('button', { name: '+251933000001' }).click();
    await page.getByLabel('Company', { exact: true }).fill('Sheba PLC');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Sheba PLC' }).waitFor();

    await page.getByRole('link', { name: 'Phonebooks' }).click();
    await page.getByRole('button', { name: 'New phonebook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Guests');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Add contacts' }).first().click();
    await page.getByLabel('Search name, number, company or tag').fill('marta');
    await page.getByRole('checkbox', { name: '+251933000001' }).check();
    await page.getByRole('button', { name: 'Add 1 contact' }).click();
    await page.getByText('1 added, 0 removed').waitFor();

    await page.getByRole('link', { name: 'Suppressions' }).click();
    await page.getByRole('button', { name: 'Add a number' }).click();
    await page.getByLabel('Number', { exact: true }).fill('0933000001');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a number' }).click();
    await page.getByRole('cell', { name: '+251933000001', exact: true }).waitFor();
    await go('/o/demo/bulk-sms/new');
    // The newest phonebook is proposed.
    await page.getByText('Guests (1)').waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel('Text', { exact: true }).fill('Selam');
    await page.getByText('Will be skipped: Opted out: 1').waitFor();

    await go('/o/demo/contacts?search=marta');
    await page.getByRole('button', { name: '+251933000001' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete +251933000001?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('No contact matches').waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);
});
