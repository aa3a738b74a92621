import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import express from 'express';
import { sendCsv } from '../../src/http/send-csv.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let made = 0;
let endings: ('sent' | Error)[] = [];
/** Resolves when the file may be begun. */
let mayBegin: Promise<void> = Promise.resolve();

async function* lines(): AsyncGenerator<string[]> {
  for (;;) {
    made += 1;
    yield ['x'.repeat(1000)];
    await new Promise((resolve) => setImmediate(resolve));
  }
}

beforeAll(async () => {
  const app = express();
  app.get('/file', async (_request, response) => {
    await mayBegin;
    await sendCsv(response, 'file.csv', lines()).then(
      () => endings.push('sent'),
      (error: Error) => endings.push(error),
    );
  });
  app.get('/formulas', async (_request, response) => {
    const rows = [
      ['from', 'text'],
      ['+251911234567', '=1;=2'],
      ['=1,=2', 'a\n=3'],
    ];
    await sendCsv(response, 'file.csv', Readable.from(rows));
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  [made, endings, mayBegin] = [0, [], Promise.resolve()];
});

const ask = (method: string, path = '/file') =>
  request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path, method });

test('no cell of a file is a formula to a spreadsheet, however it separates them', async () => {
  const asked = ask('GET', '/formulas').end();
  const [response] = await once(asked, 'response');
  expect(await text(response as Readable)).toBe(
    "from,text\r\n+251911234567,'=1;'=2\r\n\"'=1,'=2\",\"a\n'=3\"\r\n",
  );
});

test('HEAD is answered with the headers of the file, of which no line is made', async () => {
  const asked = ask('HEAD').end();
  const [response] = await once(asked, 'response');
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining('file.csv'),
  });
  response.resume();
  await once(response, 'end');
  expect({ made, endings }).toEqual({ made: 0, endings: ['sent'] });
});

test('who goes away in the middle of a file ends it, and that is no error', async () => {
  const asked = ask('GET').end();
  const [response] = await once(asked, 'response');
  await once(response, 'data');
  asked.on('error', () => undefined).destroy();
  await until('the file to end', () => endings.length === 1);
  expect(endings).toEqual(['sent']);
  const madeByThen = made;
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBeLessThanOrEqual(madeByThen + 1);
});

test('who goes away before the first line is no error either', async () => {
  let begin = (): void => undefined;
  mayBegin = new Promise((resolve) => void (begin = resolve));
  const received = once(server, 'request');
  const asked = ask('GET').end();
  const [{ socket }] = await received;
  asked.on('error', () => undefined).destroy();
  await until('the connection to be closed', () => socket.destroyed as boolean);
  begin();
  await until('the file to end', () => endings.length === 1);
  expect({ made, endings }).toEqual({ made: 0, endings: ['sent'] });
});
