import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { startService, type Demo, type RunningService } from './service.ts';

/** How long one request may block the event loop of an API process. */
const limitMs = 50;

/** Other work on the machine can only increase a measurement, so the minimum of several shows the cost of a body. */
const tries = 5;

interface HostileBody {
  what: string;
  method?: string;
  path: string;
  type: string;
  body: Buffer | string;
  gzip?: boolean;
}

const json = 'application/json';
const urlencoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const mebibyte = 1024 * 1024;

/**
 * Posts deliberately expensive bodies to its own API process, in all encodings, and prints how long each one blocked
 * the event loop, as measured by the process itself. Fails above 50 ms.
 */
export async function hostileBodiesBench(): Promise<void> {
  const socketPath = join(tmpdir(), `event-loop-${process.pid}.sock`);
  const watcher = fileURLToPath(new URL('watch-event-loop.mjs', import.meta.url));
  const service = await startService({
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${watcher}`.trim(),
    EVENT_LOOP_SOCKET: socketPath,
    AUTH_RATE_LIMIT_PER_MINUTE: '100000',
  });
  try {
    const slow: string[] = [];
    for (const hostile of await makeBodies(service.demo)) {
      const { heldMs, status, answerBytes } = await measure(service, socketPath, hostile);
      const facts = `${status} ${String(answerBytes).padStart(7)} bytes ${heldMs.toFixed(1).padStart(7)} ms`;
      process.stdout.write(`${hostile.what.padEnd(60)} ${facts}\n`);
      if (heldMs > limitMs) slow.push(hostile.what);
    }
    process.stdout.write(`API process, peak memory: ${await peakMegabytes(service)} MB\n`);
    if (slow.length > 0)
      throw new Error(`These block the event loop for more than ${limitMs} ms: ${slow.join('; ')}.`);
  } finally {
    await service.stop();
  }
}

async function measure(
  { demo }: RunningService,
  socketPath: string,
  { method = 'POST', path, type, body, gzip = false }: HostileBody,
): Promise<{ heldMs: number; status: number; answerBytes: number }> {
  const sent = gzip ? gzipSync(body) : body;
  let least = { heldMs: Number.POSITIVE_INFINITY, status: 0, answerBytes: 0 };
  for (let attempt = 0; attempt < tries; attempt += 1) {
    await readHeldMs(socketPath);
    const response = await fetch(`${demo.baseUrl}${path}`, {
      method,
      headers: {
        'X-API-Key': demo.testApiKey,
        'Content-Type': type,
        ...(gzip && { 'Content-Encoding': 'gzip' }),
      },
      body: sent as never,
    });
    const answer = await response.text();
    const heldMs = await readHeldMs(socketPath);
    if (heldMs < least.heldMs) least = { heldMs, status: response.status, answerBytes: answer.length };
  }
  return least;
}

async function readHeldMs(socketPath: string): Promise<number> {
  return Number(await text(connect(socketPath)));
}

async function peakMegabytes(service: RunningService): Promise<string> {
  const status = await readFile(`/proc/${service.processId('api')}/status`, 'utf8');
  return (Number(/^VmHWM:\s+(\d+)/m.exec(status)![1]) / 1024).toFixed(0);
}

const many = (count: number, of: (index: number) => string, by: string): string =>
  Array.from({ length: count }, (_none, index) => of(index)).join(by);

const parts = (count: number, name: (index: number) => string): string =>
  `${many(count, (index) => `--b\r\nContent-Disposition: form-data; name="${name(index)}"\r\n\r\n1\r\n`, '')}--b--\r\n`;

async function makeBodies({ baseUrl, organizationId, testApiKey }: Demo): Promise<HostileBody[]> {
  const response = await fetch(`${baseUrl}/api/v1/contact-lists`, {
    method: 'POST',
    headers: { 'X-API-Key': testApiKey, 'Content-Type': json },
    body: JSON.stringify({ organizationId, name: 'Hostile bodies' }),
  });
  const { id } = (await response.json()) as { id: string };
  const members = { method: 'PUT', path: `/api/v1/contact-lists/${id}/members` };
  const signIn = { path: '/api/auth/sign-in/email' };
  const message = { path: '/api/v1/messages' };
  const ids = Array.from({ length: 100_000 }, () => uuidv7());
  const ofMembers = (items: string): string =>
    `{"organizationId":"${organizationId}","contactIds":[${items}]}`;
  return [
    {
      what: 'a body as it should be (for comparison)',
      ...message,
      type: json,
      body: '{"to":"0911234567","text":"x"}',
    },
    {
      what: 'JSON: 95,000 unknown fields',
      ...signIn,
      type: json,
      body: `{${many(95_000, (i) => `"f${i}":1`, ',')}}`,
    },
    {
      what: 'JSON: 900 unknown fields',
      ...signIn,
      type: json,
      body: `{${many(900, (i) => `"f${i}":1`, ',')}}`,
    },
    { what: 'JSON: an unknown name of 1 MB', ...signIn, type: json, body: `{"${'x'.repeat(1_000_000)}":1}` },
    {
      what: 'JSON: a text of 1 MB',
      ...signIn,
      type: json,
      body: `{"email":"${'a'.repeat(1_000_000)}","password":"x"}`,
    },
    {
      what: 'JSON: an e-mail address of dots, 1 MB',
      ...signIn,
      type: json,
      body: `{"email":"a@${'a.'.repeat(500_000)}","password":"x"}`,
    },
    { what: 'JSON: 350,000 open arrays', ...message, type: json, body: '['.repeat(350_000) },
    {
      what: 'JSON: 1 MB of escapes',
      ...message,
      type: json,
      body: `{"text":"${'\\u0041'.repeat(170_000)}"}`,
    },
    {
      what: 'JSON: a number of 1,000,000 digits',
      ...message,
      type: json,
      body: `{"text":${'1'.repeat(1_000_000)}}`,
    },
    {
      what: 'JSON: 10,000 values in metadata',
      ...message,
      type: json,
      body: `{"to":"0911234567","text":"x","metadata":{"a":[${many(9990, () => '{}', ',')}]}}`,
    },
    {
      what: 'JSON: 500,000 values in metadata',
      ...message,
      type: json,
      body: `{"to":"0911234567","text":"x","metadata":{"a":[${many(500_000, () => '1', ',')}]}}`,
    },
    {
      what: 'JSON, gzip: 8 MiB of spaces',
      ...members,
      type: json,
      body: ' '.repeat(8 * mebibyte),
      gzip: true,
    },
    {
      what: 'JSON: 2,700,000 empty members',
      ...members,
      type: json,
      body: ofMembers(many(2_700_000, () => '""', ',')),
    },
    {
      what: 'JSON, gzip: 2,700,000 empty members',
      ...members,
      type: json,
      body: ofMembers(many(2_700_000, () => '""', ',')),
      gzip: true,
    },
    {
      what: 'JSON: 4,100,000 members that are numbers',
      ...members,
      type: json,
      body: ofMembers(many(4_100_000, () => '1', ',')),
    },
    {
      what: 'JSON: 100,000 members of a wrong type',
      ...members,
      type: json,
      body: ofMembers(many(100_000, () => '1', ',')),
    },
    {
      what: 'JSON: 100,001 members',
      ...members,
      type: json,
      body: ofMembers(many(100_001, () => '""', ',')),
    },
    {
      what: 'JSON: 100,000 unknown members',
      ...members,
      type: json,
      body: ofMembers(many(100_000, (i) => `"${ids[i]}"`, ',')),
    },
    {
      what: 'JSON: 100,000 members too long',
      ...members,
      type: json,
      body: ofMembers(many(79_000, () => `"${'x'.repeat(101)}"`, ',')),
    },
    {
      what: 'form: metadata[x]=1, 70,000 times',
      ...message,
      type: urlencoded,
      body: many(70_000, () => 'metadata[x]=1', '&'),
    },
    { what: 'form: 70,000 names', ...signIn, type: urlencoded, body: many(70_000, (i) => `a${i}=1`, '&') },
    {
      what: 'form: 1,000 numbered names',
      ...message,
      type: urlencoded,
      body: many(1000, (i) => `metadata[${i}]=1`, '&'),
    },
    {
      what: 'form: 1,000 deep names',
      ...message,
      type: urlencoded,
      body: many(1000, (i) => `metadata${'[a]'.repeat(18)}[${i}x]=1`, '&'),
    },
    {
      what: 'form: 2,000 deep names',
      ...members,
      type: urlencoded,
      body: many(2000, (i) => `x[${i}x]${'[a]'.repeat(19)}=1`, '&'),
    },
    {
      what: 'form: 1,000 positions',
      ...members,
      type: urlencoded,
      body: many(1000, (i) => `contactIds[${1_000_000 - i}]=1`, '&'),
    },
    { what: 'form: a name of 1 MiB of brackets', ...message, type: urlencoded, body: '[]'.repeat(524_000) },
    { what: 'form: a name of 1 MiB', ...message, type: urlencoded, body: `a[${'x'.repeat(mebibyte - 3)}]` },
    { what: 'form: 1 MiB of ampersands', ...signIn, type: urlencoded, body: '&'.repeat(mebibyte) },
    { what: 'form: 1 MiB of pluses', ...signIn, type: urlencoded, body: `email=${'+'.repeat(mebibyte - 6)}` },
    {
      what: 'form: 1 MiB percent-encoded',
      ...signIn,
      type: urlencoded,
      body: `email=${'%41'.repeat(349_000)}`,
    },
    { what: 'form: 8 MiB of ampersands', ...members, type: urlencoded, body: '&'.repeat(8 * mebibyte) },
    {
      what: 'form: 8 MiB of pluses',
      ...members,
      type: urlencoded,
      body: `organizationId=${'+'.repeat(8 * mebibyte - 15)}`,
    },
    {
      what: 'form: 8 MiB percent-encoded',
      ...members,
      type: urlencoded,
      body: `organizationId=${'%41'.repeat(2_790_000)}`,
    },
    {
      what: 'form: 100,000 unknown members',
      ...members,
      type: urlencoded,
      body: `organizationId=${organizationId}&${many(100_000, (i) => `contactIds[]=${ids[i]}`, '&')}`,
    },
    {
      what: 'form: 600,000 members',
      ...members,
      type: urlencoded,
      body: many(600_000, () => 'contactIds=1', '&'),
    },
    {
      what: 'form: 100,000 nested members',
      ...members,
      type: urlencoded,
      body: many(100_000, () => 'x[y][]=1', '&'),
    },
    {
      what: 'form: 2,700,000 members as JSON in a field',
      ...members,
      type: urlencoded,
      body: `contactIds=[${many(2_700_000, () => '""', ',')}]`,
    },
    {
      what: 'form: 100,000 unknown members as JSON in a field',
      ...members,
      type: urlencoded,
      body: `organizationId=${organizationId}&contactIds=[${many(100_000, (i) => `"${ids[i]}"`, ',')}]`,
    },
    {
      what: 'multipart: 15,000 parts',
      ...message,
      type: multipart,
      body: parts(15_000, () => 'metadata[x]'),
    },
    {
      what: 'multipart: 2,000 deep names',
      ...members,
      type: multipart,
      body: parts(2000, (i) => `x[${i}x]${'[a]'.repeat(19)}`),
    },
    {
      what: 'multipart: 50,000 names',
      ...members,
      type: multipart,
      body: parts(50_000, (i) => `a${i}`),
    },
    {
      what: 'multipart: an index of 4,294,967,294',
      ...members,
      type: multipart,
      body: parts(1, () => 'contactIds[4294967294]'),
    },
    {
      what: 'multipart: 100,000 unknown members',
      ...members,
      type: multipart,
      body: parts(100_000, () => 'contactIds[]'),
    },
    {
      what: 'multipart: 2,700,000 members as JSON in a part',
      ...members,
      type: multipart,
      body: `--b\r\nContent-Disposition: form-data; name="contactIds"\r\n\r\n[${many(2_700_000, () => '""', ',')}]\r\n--b--\r\n`,
    },
    {
      what: 'multipart: 1 MiB of boundaries',
      ...message,
      type: multipart,
      body: '\r\n--b\r\n'.repeat(149_000),
    },
  ];
}
