import { request } from 'node:http';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  key = await (await createTenant(db.database)).createKey();
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Sends a body in chunks, without telling its length, until it is answered. */
function sendChunked(
  contentType: string,
  chunks: Iterable<string>,
): Promise<{ status: number; code: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, 'Content-Type': contentType };
    const sending = request(`${api.baseUrl}/api/v1/messages`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        sending.destroy();
        resolve({ status: response.statusCode!, code: JSON.parse(text).code as string });
      });
    });
    sending.on('error', (error) => (sending.destroyed ? undefined : reject(error)));
    for (const chunk of chunks) sending.write(chunk);
    sending.end();
  });
}

function* manyFields(): Iterable<string> {
  for (let index = 0; index < 40; index += 1) {
    yield `--b\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n${'x'.repeat(64 * 1024)}\r\n`;
  }
  yield '--b--\r\n';
}

test.each([
  ['multipart/form-data; boundary=b', manyFields],
  ['application/json', () => ['{"text":"', ...Array.from({ length: 40 }, () => 'x'.repeat(64 * 1024)), '"}']],
  [
    'application/x-www-form-urlencoded',
    () => Array.from({ length: 40 }, () => `a=${'x'.repeat(64 * 1024)}&`),
  ],
])('a %s body that does not tell its length is held to the limit all the same', async (type, chunks) => {
  expect(await sendChunked(type, chunks())).toEqual({ status: 413, code: 'payload_too_large' });
});
