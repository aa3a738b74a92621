import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTcpLink, type TcpLink } from '../../chaos/world/tcp-link.ts';
import { findServerPort } from '../../scripts/embedded/ports.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let link: TcpLink;
/** What the server has received, over all connections. */
let received: string;
const clients: Socket[] = [];

beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      socket.write(`got ${chunk.toString()}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  link = await startTcpLink(await findServerPort(), (server.address() as AddressInfo).port);
});

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  link.stop();
  server.close();
});

/** Connects to a port, and collects what comes back. */
async function open(port: number): Promise<{ socket: Socket; answers: () => string }> {
  const socket = connect(port, '127.0.0.1');
  clients.push(socket);
  let answers = '';
  socket.on('data', (chunk) => void (answers += chunk.toString()));
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return { socket, answers: () => answers };
}

test('a link passes bytes in both directions', async () => {
  const { socket, answers } = await open(link.port);
  socket.write('one');
  await until('the answer', () => answers() === 'got one');
  expect(received).toBe('one');
});

test('a frozen link keeps its connections, and passes what it held once it is healed', async () => {
  const { socket, answers } = await open(link.port);
  link.freeze();
  socket.write('held');
  // What is sent past the link later arrives earlier.
  const other = await open((server.address() as AddressInfo).port);
  other.socket.write('direct');
  await until('the other answer', () => other.answers() === 'got direct');
  expect(received).toBe('direct');
  await link.heal();
  await until('the answer', () => answers() === 'got held');
});

test('a link that is cut breaks its connections and refuses new ones until it is healed', async () => {
  const { socket } = await open(link.port);
  // `once` of node:events would reject, because the connection is reset.
  const closed = new Promise((resolve) => void socket.on('close', resolve));
  link.cut();
  await closed;
  await expect(open(link.port)).rejects.toThrow('ECONNREFUSED');
  await link.heal();
  const { socket: next, answers } = await open(link.port);
  next.write('again');
  await until('the answer', () => answers() === 'got again');
});

test('a delayed link keeps the order of the bytes', async () => {
  const { socket } = await open(link.port);
  link.delay(30);
  socket.write('first ');
  await until('the first bytes to be on their way', () => socket.bytesWritten === 6);
  link.delay(1);
  socket.write('second');
  await until('all bytes', () => received.length === 12);
  expect(received).toBe('first second');
});
