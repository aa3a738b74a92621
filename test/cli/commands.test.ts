import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../bench/service.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { createCommandLine, type CommandLine, type CommandResult } from '../helpers/command-line.ts';
import { until } from '../helpers/until.ts';

let service: BlackBox;
/** Of a program that has the test key. */
let cli: CommandLine;
/** Of the owner of the organization. */
let owner: CommandLine;

const undelivered = '+251900000002';
const unknownId = '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11';

beforeAll(async () => {
  service = await startBlackBox();
  const { baseUrl, testApiKey, ownerEmail, ownerPassword } = service.demo;
  cli = await createCommandLine({ SMS_BASE_URL: baseUrl, SMS_API_KEY: testApiKey });
  owner = await createCommandLine();
  await owner.run(['login', '--url', baseUrl, '--email', ownerEmail], { input: `${ownerPassword}\n` });
}, 120_000);

afterAll(async () => {
  await cli?.remove();
  await owner?.remove();
  await service?.stop();
}, 60_000);

async function api(method: string, path: string, body?: object): Promise<{ id: string }> {
  const response = await fetch(`${service.demo.baseUrl}${path}`, {
    method,
    headers: { 'X-API-Key': service.demo.testApiKey, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} responded ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string };
}

/** Runs a command in both modes. Neither writes colours, because neither writes to a terminal. */
async function runBoth(
  line: CommandLine,
  args: string[],
): Promise<{ plain: CommandResult; json: CommandResult }> {
  const [plain, json] = await Promise.all([line.run(args), line.run([...args, '--json'])]);
  for (const { stdout, stderr } of [plain, json]) expect(stdout + stderr).not.toContain('\u001B');
  return { plain, json };
}

async function sendFailing(): Promise<string> {
  const { json } = await cli.run(['send', undelivered, 'Selam', '--wait', '--json']);
  return json()['id'] as string;
}

describe('messages', () => {
  test('send prints the stored message', async () => {
    const { plain, json } = await runBoth(cli, ['send', '0911234567', 'Selam', '--metadata', '{"order":17}']);
    expect(plain).toMatchObject({ exitCode: 0, stderr: '' });
    expect(plain.stdout).toMatch(/^[\da-f-]{36} {2}queued {2}to \+251911234567 from DEMO, 1 segment\n$/);
    expect(json).toMatchObject({ exitCode: 0, stderr: '' });
    expect(json.json()).toMatchObject({ status: 'queued', to: '+251911234567', metadata: { order: 17 } });
  });

  test('send --wait succeeds when the message is delivered, and fails when it is not', async () => {
    const [delivered, failed] = await Promise.all([
      cli.run(['send', '0911234567', 'Selam', '--wait', '--json']),
      cli.run(['send', undelivered, 'Selam', '--wait']),
    ]);
    expect([delivered.exitCode, delivered.json()]).toMatchObject([0, { status: 'delivered' }]);
    expect([failed.exitCode, failed.stdout]).toEqual([
      1,
      expect.stringMatching(/status +failed\n[^]*undelivered/),
    ]);
  });

  test('send --listen verifies the webhooks of the message, and ends with the last one', async () => {
    const [delivered, failed] = await Promise.all([
      cli.run(['send', '0911234567', 'Selam', '--listen', '--json']),
      cli.run(['send', undelivered, 'Selam', '--listen']),
    ]);
    expect(delivered.exitCode).toBe(0);
    expect(delivered.lines()).toMatchObject(
      ['message.accepted', 'message.sent', 'message.delivered'].map((event) => ({
        outcome: 'verified',
        event: { event },
      })),
    );
    expect([failed.exitCode, failed.stdout]).toEqual([
      1,
      expect.stringContaining('verified  message.failed'),
    ]);
  });

  test('the text - is standard input, and an Idempotency-Key sends it once', async () => {
    const args = ['send', '0911234567', '-', '--idempotency-key', 'order-17', '--json'];
    const first = await cli.run(args, { input: 'Two\nlines\n' });
    const second = await cli.run(args, { input: 'Two\nlines\n' });
    expect(first.json()).toMatchObject({ text: 'Two\nlines' });
    expect(second.json()).toEqual(first.json());
  });

  test('estimate tells segments and refusals, and fails for what would be refused', async () => {
    const { plain, json } = await runBoth(cli, ['estimate', '0911234567', 'ሰላም']);
    expect([plain.exitCode, plain.stdout]).toEqual([0, expect.stringMatching(/segments +1\nencoding +ucs2/)]);
    expect(json.json()).toMatchObject({ segments: 1, encoding: 'ucs2', wouldBeRefused: null });
    const refused = await cli.run(['estimate', '0911234567', 'Selam', '--from', 'NOT-OURS', '--json']);
    expect([refused.exitCode, refused.json()]).toMatchObject([
      1,
      { wouldBeRefused: { code: 'sender_not_approved' } },
    ]);
  });

  test('messages list filters, and messages get shows the timeline', async () => {
    const id = await sendFailing();
    const list = await runBoth(cli, [
      'messages',
      'list',
      '--status',
      'failed',
      '--since',
      '1h',
      '--limit',
      '1',
    ]);
    expect(list.plain.stdout).toMatch(/^[\da-f-]{36} .* failed {5}.*\(undelivered\)\n$/);
    expect(list.json.lines()).toMatchObject([{ status: 'failed' }]);
    const { plain, json } = await runBoth(cli, ['messages', 'get', id]);
    expect(plain.stdout).toMatch(/queued[^]*submission_answered[^]*report=undelivered/);
    expect(json.json()).toMatchObject({
      id,
      status: 'failed',
      timeline: [{ kind: 'queued' }, {}, {}, {}, {}],
    });
  });

  test('tail shows each status of a message that is sent meanwhile, in order, until Ctrl-C', async () => {
    await cli.run(['send', '0911234567', 'Before', '--wait']);
    const plain = cli.start(['tail']);
    const json = cli.start(['tail', '--since', '1h', '--json']);
    await until('the first poll', () => plain.stderr().includes('Waiting for messages'), 30_000);
    await until('what was before', () => json.stdout().includes('Before'), 30_000);
    const sent = await cli.run(['send', '0911234567', 'Meanwhile', '--wait', '--json']);
    const id = sent.json()['id'] as string;
    const isShown = (stdout: string): boolean =>
      stdout.split('\n').some((line) => line.includes(id) && /delivered( |")/.test(line));
    await until('the last status', () => isShown(plain.stdout()) && isShown(json.stdout()), 30_000);
    const ended = await Promise.all([plain.stop(), json.stop()]);
    expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, 'Waiting for messages; Ctrl-C ends it.\n'],
      [0, ''],
    ]);
    const statuses = ['queued', 'accepted', 'sent', 'delivered'];
    const ofMessage = ended[1].lines().filter(({ message }) => (message as { id: string }).id === id);
    expect(ofMessage.map(({ status }) => status)).toEqual(statuses);
    const lines = ended[0].stdout.split('\n').filter((line) => line.includes(id));
    expect(lines.map((line) => line.split(/ +/)[1])).toEqual(statuses);
    expect(ended[0].stdout).not.toContain('Before');
  });

  test('a text cannot command the terminal of the person who reads it', async () => {
    await cli.run(['send', '0911234567', 'A\u001B[2J\u009B31mB\u202E']);
    const { plain, json } = await runBoth(cli, ['messages', 'list', '--limit', '1']);
    expect(plain.stdout).toContain('A�[2J�31mB�');
    expect(json.stdout).toContain('A\\u001b[2J\\u009b31mB\\u202e');
  });
});

describe('security codes', () => {
  test('codes send prints the verification, and codes verify fails for a wrong code', async () => {
    const { plain, json } = await runBoth(cli, [
      'codes',
      'send',
      '0911234599',
      '--ttl',
      '120',
      '--length',
      '8',
    ]);
    expect(plain.stdout).toMatch(/^verification +[\da-f-]{36}\n/);
    const { verificationId } = json.json();
    const wrong = await runBoth(cli, ['codes', 'verify', String(verificationId), '000000']);
    expect([wrong.plain.exitCode, wrong.json.exitCode]).toEqual([1, 1]);
    expect(wrong.json.json()).toMatchObject({ valid: false });
  });
});

describe('contacts', () => {
  test('an import of 5,000 rows shows its progress and a summary, and the export has them', async () => {
    const file = join(cli.configDirectory, 'contacts.csv');
    const note = 'x'.repeat(60);
    const rows = Array.from(
      { length: 5000 },
      (_, index) => `+2519${12_000_000 + index},Name ${index},"two\nlines",${note}`,
    );
    writeFileSync(file, ['phoneNumber,firstName,address,note', ...rows, 'nobody,Bad,,'].join('\n'));
    const { exitCode, stdout, stderr } = await cli.run(['contacts', 'import', file]);
    expect(stdout).toMatch(
      /status +completed\nimported +5,000\nupdated +0\nskipped +0\nrejected +1\nline 10002, phoneNumber: /,
    );
    expect(exitCode).toBe(1);
    const shown = stderr.trim().split('\n');
    expect(shown[0]).toBe('[------------------------------]   0 % 0 of 5,001 rows');
    expect(shown.at(-1)).toBe('[##############################] 100 % 5,001 of 5,001 rows');
    const [, id = ''] = /^import +(\S+)/.exec(stdout)!;
    expect((await cli.run(['contacts', 'rejects', id])).stdout).toMatch(/nobody,Bad/);

    const again = await cli.run(['contacts', 'import', file, '--json']);
    expect([again.stderr, again.json()]).toMatchObject(['', { imported: 0, updated: 5000, rejected: 1 }]);
    const output = join(cli.configDirectory, 'export.csv');
    const [csv, json] = await Promise.all([
      cli.run(['contacts', 'export', '-o', output]),
      cli.run(['contacts', 'export', '--search', 'Name 4999', '--json']),
    ]);
    expect([csv.exitCode, csv.stdout]).toEqual([0, '']);
    expect(readFileSync(output, 'utf8').split('\n+2519')).toHaveLength(5001);
    expect(json.lines()).toMatchObject([{ firstName: 'Name 4999' }]);
  });
});

describe('bulk', () => {
  const phonebook = async (name: string, numbers: string[]): Promise<void> => {
    const { organizationId } = service.demo;
    const list = await api('POST', '/api/v1/contact-lists/', { organizationId, name });
    const contacts = await Promise.all(
      numbers.map((phoneNumber) => api('POST', '/api/v1/contacts/', { organizationId, phoneNumber })),
    );
    const contactIds = contacts.map(({ id }) => id);
    await api('PUT', `/api/v1/contact-lists/${list.id}/members`, { organizationId, contactIds });
  };

  beforeAll(async () => {
    await api('POST', '/api/v1/campaigns/', {
      organizationId: service.demo.organizationId,
      name: 'Holidays',
    });
    await phonebook('Two', ['+251913000001', '+251913000002']);
  });

  const target = ['--campaign', 'Holidays', '--phonebook', 'Two'];

  test('bulk create finds campaign and phonebook by name, and bulk watch follows the batch to its end', async () => {
    const created = await cli.run(['bulk', 'create', 'Selam', ...target, '--json']);
    const { id } = created.json();
    const { plain, json } = await runBoth(cli, ['bulk', 'watch', String(id)]);
    expect([plain.exitCode, plain.stdout]).toEqual([
      0,
      expect.stringMatching(/status +completed\n[^]*total +2\n/),
    ]);
    expect(plain.stderr).toContain('2 of 2, completed');
    expect(json.lines().at(-1)).toMatchObject({ id, status: 'completed', ledger: { total: 2, queued: 0 } });
    expect((await cli.run(['bulk', 'list', '--limit', '1', '--json'])).lines()).toMatchObject([{ id }]);
    expect((await cli.run(['bulk', 'create', 'Selam', ...target, '--watch'])).exitCode).toBe(0);
  });

  test('bulk cancel cancels a batch, and what its state does not allow is refused with 6', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const created = await cli.run(['bulk', 'create', 'Selam', ...target, '--at', tomorrow, '--json']);
    const { id, status } = created.json() as { id: string; status: string };
    expect(status).toBe('scheduled');
    for (const action of ['pause', 'resume']) {
      const { exitCode, problem } = await cli.run(['bulk', action, id, '--json']);
      expect([exitCode, problem()]).toMatchObject([6, { code: 'invalid_state', status: 409, exitCode: 6 }]);
    }
    const cancelled = await cli.run(['bulk', 'cancel', id, '--json']);
    expect([cancelled.exitCode, cancelled.json()]).toMatchObject([0, { id, status: 'cancelled' }]);
    expect((await cli.run(['bulk', 'watch', id])).exitCode).toBe(1);
  });

  test('bulk pause stops a batch that is being sent, and bulk resume lets it go on', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `+2519131${String(index).padStart(5, '0')}`);
    await phonebook('Many', many);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const toMany = ['--campaign', 'Holidays', '--phonebook', 'Many', '--at', tomorrow];
    const created = await cli.run(['bulk', 'create', 'Selam', ...toMany, '--json']);
    const { id } = created.json() as { id: string };
    // A message a second: the batch is not over before it is paused.
    await api('PATCH', `/api/v1/bulk-sms/${id}/rate`, { ratePerSecond: 1 });
    await api('PATCH', `/api/v1/bulk-sms/${id}/start`, {});
    const isProcessing = async (): Promise<boolean> =>
      (await cli.run(['bulk', 'list', '--json']))
        .lines()
        .some((batch) => batch['id'] === id && batch['status'] === 'processing');
    await until('the batch to be sent', isProcessing, 30_000);
    const paused = await cli.run(['bulk', 'pause', id, '--json']);
    expect([paused.exitCode, paused.json()]).toMatchObject([0, { id, status: 'paused' }]);
    const resumed = await cli.run(['bulk', 'resume', id]);
    expect([resumed.exitCode, resumed.stdout]).toEqual([0, expect.stringMatching(/status +processing\n/)]);
    expect((await cli.run(['bulk', 'cancel', id])).exitCode).toBe(0);
  });

  test('a name that does not exist is not found', async () => {
    const { exitCode, problem } = await cli.run([
      'bulk',
      'create',
      'x',
      '--campaign',
      'None',
      '--phonebook',
      'Two',
      '--json',
    ]);
    expect([exitCode, problem()]).toMatchObject([4, { code: 'not_found' }]);
  });
});

describe('webhooks listen', () => {
  test('verifies a real webhook, refuses a forged one, and ends with Ctrl-C', async () => {
    const port = await freePort();
    const listen = cli.start(['webhooks', 'listen', '--port', String(port), '--json']);
    const events = (): Record<string, unknown>[] =>
      listen
        .stdout()
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const { url, secret } = await until(
      'the receiver',
      () => events()[0] as { url: string; secret: string },
      30_000,
    );
    expect(url).toBe(`http://127.0.0.1:${port}/`);
    await cli.run(['send', '0911234567', 'Selam', '--webhook-url', url, '--webhook-secret', secret]);
    await until('the three webhooks', () => events().length > 3, 30_000);
    expect(events().slice(1)).toMatchObject([
      { outcome: 'verified', event: { event: 'message.accepted' }, isRepeated: false },
      { outcome: 'verified', event: { event: 'message.sent' } },
      { outcome: 'verified', event: { event: 'message.delivered' } },
    ]);

    const body =
      '{"id":"1","event":"message.delivered","createdAt":"2026-11-22T00:00:00.000Z","data":{"id":"1"}}';
    const post = (timestampSeconds: number, key: string): Promise<Response> => {
      const signature = createHmac('sha256', key).update(`${timestampSeconds}.${body}`).digest('hex');
      const headers = {
        'X-Service-Timestamp': String(timestampSeconds),
        'X-Service-Signature': `sha256=${signature}`,
      };
      return fetch(url, { method: 'POST', body, headers });
    };
    const now = Math.floor(Date.now() / 1000);
    expect((await post(now, 'another-secret-0123456789')).status).toBe(400);
    expect((await post(now - 600, secret)).status).toBe(400);
    expect((await fetch(url)).status).toBe(400);
    expect((await post(now, secret)).status).toBe(200);
    await until('what was refused', () => events().length > 7, 30_000);
    expect(events().slice(4)).toMatchObject([
      { outcome: 'refused', reason: 'wrong_signature' },
      { outcome: 'refused', reason: 'outside_tolerance' },
      { outcome: 'refused', reason: 'header_missing' },
      { outcome: 'verified' },
    ]);
    expect((await listen.stop()).exitCode).toBe(0);
  });

  test('--forward-to sends the same bytes on, and answers as the program there does', async () => {
    const answers = [500, 200];
    const bodies: string[] = [];
    const program = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
      request.on('end', () => response.writeHead(answers.shift() ?? 204).end());
    }).listen(0, '127.0.0.1');
    await once(program, 'listening');
    const forwardTo = `http://127.0.0.1:${(program.address() as AddressInfo).port}/events`;
    const secret = 'a-secret-of-16-chars-or-more';
    const listen = cli.start([
      ...['webhooks', 'listen', '--port', String(await freePort()), '--secret', secret],
      ...['--forward-to', forwardTo],
    ]);
    const [, url = ''] = await until(
      'the receiver',
      () => /Listening at (\S+)/.exec(listen.stdout()),
      30_000,
    );
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = '{"id":"1","event":"message.sent","data":{"id":"2","to":"+251911234567"}}';
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const headers = { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': `sha256=${signature}` };
    const statuses: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      statuses.push((await fetch(url, { method: 'POST', body, headers })).status);
    }
    program.close();
    program.closeAllConnections();
    statuses.push((await fetch(url, { method: 'POST', body, headers })).status);
    expect(statuses).toEqual([500, 200, 502]);
    expect(bodies).toEqual([body, body]);
    const { stdout } = await listen.stop('SIGTERM');
    expect(stdout).toMatch(/forwarded: 500\n.*\(repeated\) {2}forwarded: 200\n.*forwarded: no answer\n$/);
  });

  test('a port that is taken is a wrong use', async () => {
    const { port } = new URL(service.demo.baseUrl);
    const { exitCode, problem } = await cli.run(['webhooks', 'listen', '--port', port, '--json']);
    expect([exitCode, problem()]).toMatchObject([2, { code: 'port' }]);
  });
});

describe('redrive', () => {
  /** Sends a message whose webhooks are dead at once, and returns their ids. */
  async function makeDeadDelivery(url: string): Promise<string> {
    const { json } = await cli.run(['send', '0911234567', 'Selam', '--webhook-url', url, '--json']);
    const { id } = json() as { id: string };
    const dead = await until(
      'a dead delivery',
      async () =>
        (
          await service.query<{ id: string }>(
            `select id from webhook_deliveries where message_id = $1 and status = 'dead' limit 1`,
            [id],
          )
        )[0],
      30_000,
    );
    return dead.id;
  }

  test('redrive webhook sends dead deliveries again, by id and all of them', async () => {
    const gone = createServer((_, response) => void response.writeHead(410).end()).listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
    const id = await makeDeadDelivery(url);
    const one = await cli.run(['redrive', 'webhook', id, '--json']);
    expect([one.exitCode, one.lines()]).toMatchObject([0, [{ id, status: 'pending' }]]);
    await makeDeadDelivery(url);
    const all = await cli.run(['redrive', 'webhook', '--dead']);
    expect([all.exitCode, all.stdout]).toEqual([0, expect.stringContaining('  pending  message.')]);
    expect(all.stderr).toMatch(/^\d+ deliver(y|ies) will be sent again\.\n$/);
    gone.close();
    gone.closeAllConnections();
  });

  test('redrive message sends a failed message again, once however often it is repeated', async () => {
    const id = await sendFailing();
    const first = await cli.run(['redrive', 'message', id, '--json']);
    const second = await cli.run(['redrive', 'message', id, '--json']);
    expect(first.json()).toMatchObject({ to: undelivered, text: 'Selam', from: 'DEMO' });
    expect(second.json()['id']).toBe(first.json()['id']);
    expect(first.json()['id']).not.toBe(id);
    const { id: delivered } = (await cli.run(['send', '0911234567', 'x', '--wait', '--json'])).json();
    expect((await cli.run(['redrive', 'message', String(delivered)])).exitCode).toBe(6);
  });

  test('redrive message refuses the text of a security code, which is not stored', async () => {
    const { messageId } = (await cli.run(['codes', 'send', undelivered, '--json'])).json();
    const isFailed = async (): Promise<boolean> => (await service.get(String(messageId))).status === 'failed';
    await until('the message to fail', isFailed, 30_000);
    const { exitCode, problem } = await cli.run(['redrive', 'message', String(messageId), '--json']);
    expect([exitCode, problem()]).toMatchObject([6, { code: 'one_time_text' }]);
  });

  test('redrive messages and webhooks redrive by filter, with progress, for administrators only', async () => {
    await sendFailing();
    const { baseUrl, adminEmail, adminPassword, organizationId } = service.demo;
    const admin = await createCommandLine();
    await admin.run(['login', '--url', baseUrl, '--email', adminEmail], { input: `${adminPassword}\n` });
    const filter = [
      '--from',
      '1h',
      '--organization',
      organizationId,
      '--error-code',
      'undelivered',
      '--limit',
      '1',
    ];
    const redriven = await admin.run(['redrive', 'messages', ...filter]);
    expect(redriven.stdout).toMatch(/^id +\S+\nstatus +completed\nredriven +1\n/);
    expect(redriven.stderr).toContain('1 message examined, 1 redriven');
    const [, id = ''] = /^id +(\S+)/.exec(redriven.stdout)!;
    const watched = await admin.run(['redrive', 'watch', id, '--json']);
    expect([watched.exitCode, watched.json()]).toMatchObject([
      0,
      { id, kind: 'messages', status: 'completed' },
    ]);
    const webhooks = await admin.run([
      'redrive',
      'webhooks',
      '--from',
      '1h',
      '--error-code',
      '503',
      '--json',
    ]);
    expect([webhooks.exitCode, webhooks.json()]).toMatchObject([
      0,
      { kind: 'webhook_deliveries', redriven: 0 },
    ]);
    expect((await owner.run(['redrive', 'messages', '--from', '1h'])).exitCode).toBe(3);
    await admin.remove();
  });
});

describe('sign-in', () => {
  test('login stores the credential so that only its owner reads it, in profiles, and logout removes it', async () => {
    const person = await createCommandLine();
    const { baseUrl, testApiKey, liveApiKey, ownerEmail, ownerPassword, organizationId } = service.demo;
    const key = await person.run(['login', '--json'], { input: `${baseUrl}\n${testApiKey}\n` });
    expect([key.exitCode, key.json()]).toEqual([
      0,
      { profile: 'default', baseUrl, email: null, organizationId },
    ]);
    const directory = join(person.configDirectory, 'sms-service');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'config.json')).mode & 0o777).toBe(0o600);

    const second = { input: `${baseUrl}\n\n${ownerEmail}\n${ownerPassword}\n` };
    const password = await person.run(['login', '--profile', 'work'], second);
    expect([password.exitCode, password.stdout]).toEqual([0, expect.stringContaining(`as ${ownerEmail}`)]);
    expect(password.stdout + password.stderr).not.toContain(ownerPassword);
    expect(readFileSync(join(directory, 'config.json'), 'utf8')).not.toContain(ownerPassword);
    expect(statSync(join(directory, 'config.json')).mode & 0o777).toBe(0o600);

    const [last, named, overridden] = await Promise.all([
      person.run(['whoami', '--json']),
      person.run(['whoami', '--profile', 'default', '--json']),
      person.run(['whoami', '--json'], { environment: { SMS_API_KEY: liveApiKey } }),
    ]);
    expect(last.json()).toMatchObject({ kind: 'session', user: { email: ownerEmail }, organizationId });
    expect(named.json()).toMatchObject({ kind: 'api_key', environment: 'test', organizationId });
    expect(overridden.json()).toMatchObject({ source: 'SMS_API_KEY', environment: 'live', baseUrl });

    const token = (JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8')) as Stored).profiles[
      'work'
    ]!.token;
    expect((await person.run(['logout', '--json'])).json()).toEqual({ profile: 'work', removed: true });
    expect((await person.run(['whoami'], { environment: { SMS_TOKEN: token } })).exitCode).toBe(3);
    expect((await person.run(['whoami', '--profile', 'default'])).exitCode).toBe(0);
    await person.remove();
  });

  test('login --demo takes the key, or the owner, of the demo', async () => {
    const person = await createCommandLine({ DATA_DIR: service.dataDir });
    await person.run(['login', '--demo']);
    expect((await person.run(['whoami', '--json'])).json()).toMatchObject({
      kind: 'api_key',
      environment: 'test',
    });
    await person.run(['login', '--demo', '--owner']);
    expect((await person.run(['whoami'])).stdout).toMatch(
      /user +owner@example.com \(user\)\nacts for +\S+ {2}Demo/,
    );
    await person.remove();
  });

  test('what the service refuses is not stored', async () => {
    const person = await createCommandLine();
    const { baseUrl, testApiKey, ownerEmail } = service.demo;
    const wrongKey = `${testApiKey.slice(0, -1)}${testApiKey.endsWith('a') ? 'b' : 'a'}`;
    const refused = await Promise.all([
      person.run(['login', '--json'], { input: `${baseUrl}\n${wrongKey}\n` }),
      person.run(['login', '--json', '--url', baseUrl, '--email', ownerEmail], { input: 'wrong-password\n' }),
    ]);
    expect(refused.map(({ exitCode, problem }) => [exitCode, problem()['code']])).toEqual([
      [3, 'unauthenticated'],
      [3, 'invalid_email_or_password'],
    ]);
    expect(existsSync(join(person.configDirectory, 'sms-service'))).toBe(false);
    await person.remove();
  });
});

interface Stored {
  profiles: Record<string, { token: string }>;
}

test('keys create shows the whole key once, keys list shows its prefix, and keys revoke ends it', async () => {
  const created = await owner.run(['keys', 'create', 'Orders', '--permission', 'messages:send', '--json']);
  const { id, key } = created.json() as { id: string; key: string };
  const environment = { SMS_API_KEY: key };
  expect((await cli.run(['send', '0911234567', 'Selam'], { environment })).exitCode).toBe(0);
  expect((await cli.run(['messages', 'list'], { environment })).exitCode).toBe(3);
  const { plain, json } = await runBoth(owner, ['keys', 'list']);
  expect(plain.stdout).toMatch(/active +test +sms_test_\w+… +Orders/);
  expect(plain.stdout + json.stdout).not.toContain(key);
  expect(json.lines()).toContainEqual(expect.objectContaining({ id, name: 'Orders' }));
  const revoked = await owner.run(['keys', 'revoke', id, '--json']);
  expect([revoked.exitCode, revoked.json()]).toEqual([0, { id, revoked: true }]);
  const refused = await cli.run(['send', '0911234567', 'Selam', '--json'], { environment });
  expect([refused.exitCode, refused.problem()]).toMatchObject([3, { code: 'api_key_revoked' }]);
});

/** What the service, or the way to it, refuses. */
const errors: [args: string, environment: Record<string, string>, exitCode: number, code: string][] = [
  ['send 12 x', {}, 6, 'invalid_request'],
  ['send 0911234567 x --from NOT-OURS', {}, 6, 'sender_not_approved'],
  [`messages get ${unknownId}`, {}, 4, 'not_found'],
  [`codes verify ${unknownId} 123456`, {}, 4, 'not_found'],
  [`contacts rejects ${unknownId}`, {}, 4, 'not_found'],
  [`bulk watch ${unknownId}`, {}, 4, 'not_found'],
  [`redrive webhook ${unknownId}`, {}, 4, 'not_found'],
  [`redrive message ${unknownId}`, {}, 4, 'not_found'],
  [`redrive inbound ${unknownId}`, {}, 4, 'not_found'],
  [`redrive watch ${unknownId}`, {}, 3, 'permission_denied'],
  ['keys list', {}, 3, 'permission_denied'],
  ['whoami', { SMS_API_KEY: 'sms_test_wrong' }, 3, 'unauthenticated'],
  ['send 0911234567 x', { SMS_BASE_URL: 'http://127.0.0.1:9' }, 5, 'unreachable'],
  ['tail', { SMS_BASE_URL: 'http://127.0.0.1:9' }, 5, 'unreachable'],
  ['whoami', { SMS_BASE_URL: 'not a url' }, 2, 'usage'],
  ['whoami', { SMS_TOKEN: 'both' }, 2, 'usage'],
  ['whoami', { SMS_API_KEY: 'two\nlines' }, 2, 'usage'],
];

test.each(errors)('sms %s with %o ends with %i and %s', async (args, environment, exitCode, code) => {
  const result = await cli.run([...args.split(' '), '--json'], { environment });
  expect([result.exitCode, result.stdout, result.problem()]).toMatchObject([
    exitCode,
    '',
    { code, exitCode },
  ]);
});

test('an error of the service names the field, the request and the page that explains it', async () => {
  const { stderr } = await cli.run(['send', '12', 'x']);
  expect(stderr).toMatch(
    /^sms: .+\n {2}\/body\/to .+\n {2}\(invalid_request, request \S+\)\n {2}http.+invalid_request\n$/,
  );
});

test('Ctrl-C ends a command that waits, with 130', async () => {
  // No report ever comes for this recipient.
  const { magicRecipients } = await import('../../src/gateway/magic-recipients.ts');
  const { number } = magicRecipients.find(({ ends }) => ends.status === 'accepted')!;
  const send = cli.start(['send', number, 'Selam', '--wait']);
  await until('the wait', () => send.stderr().includes('waiting'), 30_000);
  expect(await send.stop()).toMatchObject({ exitCode: 130, stdout: '' });
});

test('a reader of the output that has had enough is no error', () => {
  const command = `'${process.execPath}' '${cli.program}' contacts export --json | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command], {
    env: { ...process.env, ...cli.environment },
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual(['0\n', '']);
});

test('a terminal gets colours, unless NO_COLOR is set', async () => {
  await cli.run(['send', '0911234567', 'Selam', '--wait']);
  const command = `'${process.execPath}' '${cli.program}' messages list --limit 1`;
  const inTerminal = (environment: Record<string, string>): string =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      env: { ...cli.environment, TERM: 'xterm', ...environment },
      encoding: 'utf8',
    }).stdout;
  expect(inTerminal({})).toContain('\u001B[32mdelivered\u001B[0m');
  expect(inTerminal({ NO_COLOR: '1' })).toMatch(/delivered/);
  expect(inTerminal({ NO_COLOR: '1' })).not.toContain('\u001B');
});
