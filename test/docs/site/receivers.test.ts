import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../bench/service.ts';
import { findProgram } from '../../../scripts/embedded/cache.ts';
import { startBlackBox, type BlackBox } from '../../helpers/black-box.ts';
import { until } from '../../helpers/until.ts';
import { readBlocks, type Block } from './blocks.ts';
import { untilListening } from './read-page.ts';
import { openTerminals, type Terminals } from './shell.ts';

/** A webhook as the service sent it. */
interface Recorded {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** How the receiver of the page answered it. */
  status: number;
}

const secret = 'a-secret-of-16-chars-or-more';
const receivers = readBlocks('docs/guide/webhooks.md').filter(({ label }) =>
  /receiver\.\w+$/i.test(label ?? ''),
);

let service: BlackBox;

beforeAll(async () => {
  service = await startBlackBox();
}, 120_000);

afterAll(() => service?.stop(), 60_000);

test('the page has a receiver in five languages', () => {
  expect(receivers.map(({ language }) => language)).toEqual(['ts', 'python', 'php', 'java', 'go']);
});

for (const receiver of receivers) {
  const command = /Run: (.+)$/m.exec(receiver.text)?.[1] ?? '';
  const program = command.split(' ')[0]!;
  const isThere = findProgram(program, ['/usr/local/go/bin']) !== undefined;
  if (!isThere) process.stderr.write(`${program} is not installed: ${receiver.label} is not tested.\n`);
  (isThere ? test : test.skip)(
    `${receiver.label} accepts the webhooks of the service, and refuses changed, old and unsigned ones`,
    () => tryReceiver(receiver, command),
    120_000,
  );
}

async function tryReceiver(receiver: Block, command: string): Promise<void> {
  const port = String(await freePort());
  const path = `${process.env['PATH']}:/usr/local/go/bin`;
  const terminals = openTerminals({ PATH: path });
  try {
    writeFileSync(join(terminals.directory, receiver.label!), receiver.text.replaceAll(/\b4000\b/g, port));
    const output = await start(terminals, command.replaceAll(/\b4000\b/g, port), Number(port));
    const events = await sendThrough(Number(port));
    expect(events.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(output()).toContain('message.delivered verified');

    const { headers, body } = events[0]!;
    const changed = Buffer.from(body);
    changed[body.length - 3]! ^= 1;
    const stale = String(Math.floor(Date.now() / 1000) - 301);
    const refused: [IncomingHttpHeaders, Buffer][] = [
      [headers, changed],
      [{ ...headers, 'x-service-timestamp': String(Number(headers['x-service-timestamp']) + 1) }, body],
      [{ ...headers, 'x-service-timestamp': stale, 'x-service-signature': sign(stale, body) }, body],
      [{ ...headers, 'x-service-signature': 'sha256=' }, body],
      [{ 'x-service-event': 'message.sent' }, body],
    ];
    for (const [given, bytes] of refused) expect(await forward(Number(port), given, bytes)).toBe(400);
    expect(await forward(Number(port), headers, body)).toBe(204);
  } finally {
    await terminals.close();
  }
}

/** Starts a receiver. A compiler may take its time. */
async function start(terminals: Terminals, command: string, port: number): Promise<() => string> {
  const output = terminals.start(command);
  await untilListening(port, 90_000).catch((error: unknown) => {
    throw new Error(`${command}: ${output()}`, { cause: error });
  });
  return output;
}

/** Sends a message, and passes its webhooks on to a receiver, byte for byte. */
async function sendThrough(port: number): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const status = await forward(port, request.headers, body);
    recorded.push({ headers: request.headers, body, status });
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void passOn(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await service.post({ to: '0911234567', text: 'Selam', webhook: { url, secret } });
    await until('three webhooks', () => recorded.length >= 3, 20_000);
    return recorded;
  } finally {
    await close(server);
  }
}

async function forward(port: number, headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
  const signed = Object.entries(headers).filter(([name]) => name.startsWith('x-service-'));
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(Object.fromEntries(signed) as Record<string, string>),
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

function sign(timestamp: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
