import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { stopServer } from '../../src/http/stop-server.ts';

let server: Server;
let client: Socket;
let received = '';

/** Starts a server and sends it the text. */
async function startWith(listener: RequestListener, text: string): Promise<void> {
  received = '';
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  const arrived = once(server, 'request');
  client.write(text);
  await arrived;
}

afterEach(() => client.destroy());

const get = 'GET / HTTP/1.1\r\nHost: test\r\nConnection: keep-alive\r\n\r\n';

test('a request in progress is answered, and its connection is then closed', async () => {
  let respond = (): void => undefined;
  await startWith((_request, response) => (respond = () => void response.end('done')), get);
  const ended = once(client, 'close');
  const stopped = stopServer(server, 60_000);
  respond();
  expect(await stopped).toEqual({ cutConnections: 0 });
  await ended;
  expect(received).toMatch(/^HTTP\/1.1 200 [^]*done/);
});

test('an idle connection is closed at once', async () => {
  await startWith((_request, response) => void response.end('done'), get);
  while (!received.includes('done')) await once(client, 'data');
  expect(await stopServer(server, 60_000)).toEqual({ cutConnections: 0 });
});

test('a request that does not end is cut when the time is over', async () => {
  await startWith(
    () => undefined,
    'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\nnot all of it',
  );
  expect(await stopServer(server, 20)).toEqual({ cutConnections: 1 });
  expect(received).toBe('');
});
