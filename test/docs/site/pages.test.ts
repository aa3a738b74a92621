import { join, resolve } from 'node:path';
import { startBlackBox, type BlackBox } from '../../helpers/black-box.ts';
import { freePort } from '../../../bench/service.ts';
import { listGuidePages, readBlocks } from './blocks.ts';
import { readPage } from './read-page.ts';
import { notRun } from './not-run.ts';
import { openTerminals } from './shell.ts';

let service: BlackBox;

beforeAll(async () => {
  service = await startBlackBox();
}, 120_000);

afterAll(() => service?.stop(), 60_000);

test.each(listGuidePages())(
  'a reader who runs the commands of %s one after the other sees what it shows',
  async (page) => {
    const programPort = await freePort();
    const replaceAddresses = (text: string): string =>
      text
        .replaceAll('http://127.0.0.1:3000', service.demo.baseUrl)
        .replaceAll('./.data/demo.json', join(service.dataDir, 'demo.json'))
        .replaceAll(/\b4000\b/g, String(programPort));
    const terminals = openTerminals({
      SMS_API_KEY: service.demo.testApiKey,
      // `sms`, as npm ci installs it.
      PATH: `${resolve('node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    });
    try {
      await expect(readPage(page, { terminals, replaceAddresses, programPort })).resolves.toBeUndefined();
    } finally {
      await terminals.close();
    }
  },
  120_000,
);

test('every block that is not run exists, and has a reason', () => {
  const unused = notRun.filter(
    ({ page, begins }) => !readBlocks(page).some(({ text }) => text.startsWith(begins)),
  );
  expect(unused).toEqual([]);
});
