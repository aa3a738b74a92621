import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../bench/service.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { problem, startFaultProxy, type FaultProxy } from '../helpers/fault-proxy.ts';
import { installPackedClient } from '../helpers/packed-client.ts';
import { chromium, runInChromium } from '../helpers/run-in-chromium.ts';

const run = promisify(execFile);
const readme = await readFile('client/README.md', 'utf8');

/** The programs to run the package with: the Node of the tests, and the Node and Bun of the machine. */
const runtimes = [
  process.execPath,
  ...['node', 'bun'].flatMap((name) =>
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .filter((directory) => !directory.includes('node_modules'))
      .map((directory) => join(directory, name))
      .filter((file) => existsSync(file))
      .slice(0, 1),
  ),
];

let service: BlackBox;
let proxy: FaultProxy;
/** An empty project, with nothing but the packed client. */
let project: string;
let packed: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sms-client-'));
  const [client] = await Promise.all([
    installPackedClient(project),
    startBlackBox().then((started) => (service = started)),
  ]);
  packed = client.files;
  proxy = await startFaultProxy(service.demo.baseUrl);
}, 180_000);

afterAll(async () => {
  await proxy?.stop();
  await service?.stop();
  await rm(project, { recursive: true, force: true });
});

/** Runs a program in the project and returns what it prints. */
async function runProgram(runtime: string, program: string, environment = {}): Promise<string> {
  await writeFile(join(project, 'program.mjs'), program);
  const { stdout } = await run(runtime, ['program.mjs'], {
    cwd: project,
    env: { ...process.env, NODE_OPTIONS: '', SMS_API_KEY: service.demo.testApiKey, ...environment },
    // Less than the longest timer of the client.
    timeout: 40_000,
  });
  return stdout;
}

test('the package contains the compiled files with their types, the licence and the manual, and nothing else', async () => {
  const sources = [
    ...['attempt', 'byte-streams', 'client', 'download', 'encode-request', 'encode-upload', 'errors'],
    ...['event-stream', 'generated/resources', 'generated/types', 'index', 'list', 'parse-events'],
    ...['read-response', 'resource', 'retries', 'transport', 'wait-for-message', 'webhooks'],
  ];
  expect(packed.toSorted()).toEqual(
    [
      ...['LICENSE', 'README.md', 'package.json'],
      ...sources.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
    ].toSorted(),
  );
  const installed = join(project, 'node_modules/sms-service-client');
  const compiled = await Promise.all(
    sources.map((name) => readFile(join(installed, `dist/${name}.js`), 'utf8')),
  );
  expect(compiled.join('\n')).not.toMatch(/from '(?!\.)|require\(|node:/);
});

test.each(runtimes)(
  'the program of the manual delivers a message and verifies its webhooks (%s)',
  async (runtime) => {
    const [, program = ''] = /```js \[send\.mjs\]\n(.*?)```/s.exec(readme) ?? [];
    const ported = program
      .replace('http://127.0.0.1:3000', service.demo.baseUrl)
      .replaceAll('4000', String(await freePort()));
    const lines = (await runProgram(runtime, ported)).trim().split('\n');
    expect(lines.toSorted()).toEqual(
      [
        'delivered',
        ...['accepted', 'sent', 'delivered'].map((event) => `verified message.${event}`),
      ].toSorted(),
    );
  },
);

test.each(runtimes)(
  'it sends once, waits and pages through a 500, a 429 and a lost answer (%s)',
  async (runtime) => {
    proxy.faults.push(
      problem(500, 'internal_error'),
      'lost-answer',
      problem(429, 'rate_limited', { 'Retry-After': '1' }),
    );
    const printed = await runProgram(
      runtime,
      `import { SmsClient, SmsApiError } from 'sms-service-client';
     const sms = new SmsClient({ baseUrl: '${proxy.baseUrl}', apiKey: process.env.SMS_API_KEY, maxRetries: 3 });
     const { id } = await sms.messages.send({ to: '0911234567', text: process.env.TEXT });
     const { status } = await sms.messages.waitFor(id, { timeoutSeconds: 30 });
     const found = [];
     for (const _ of [1, 2]) await sms.messages.send({ to: '0911234567', text: 'another' });
     for await (const message of sms.messages.list({ limit: 1 })) {
       if (message.text === process.env.TEXT) found.push(message.id);
     }
     const refusal = await sms.messages.send({ to: '123456789', text: '' }).catch((error) => error);
     console.log(JSON.stringify({
       status,
       isFoundOnce: found.join() === id,
       isTyped: refusal instanceof SmsApiError,
       code: refusal.code,
     }));`,
      { TEXT: `from ${runtime}` },
    );
    expect(JSON.parse(printed)).toEqual({
      status: 'delivered',
      isFoundOnce: true,
      isTyped: true,
      code: 'invalid_request',
    });
    expect(proxy.faults).toEqual([]);
  },
);

test('a message that takes too long to become final is an error that says its status', async () => {
  const printed = await runProgram(
    process.execPath,
    `import { SmsClient } from 'sms-service-client';
     const sms = new SmsClient({ baseUrl: '${proxy.baseUrl}', apiKey: process.env.SMS_API_KEY });
     // This recipient gets no report.
     const { id } = await sms.messages.send({ to: '+251900000006', text: 'Selam' });
     while ((await sms.messages.get(id)).status !== 'accepted');
     await sms.messages.waitFor(id, { timeoutSeconds: 0.5 }).catch(({ name, message }) => console.log(name, message));`,
  );
  expect(printed).toMatch(/^SmsTimeoutError After 0.5 s the message \S+ is accepted, which is not final/);
});

test('a program with a session ends when it has left its stream: nothing of it keeps the process alive', async () => {
  const { ownerEmail: email, ownerPassword, baseUrl, organizationId } = service.demo;
  const printed = await runProgram(
    process.execPath,
    `import { SmsClient } from 'sms-service-client';
     const { auth } = new SmsClient({ baseUrl: '${baseUrl}' });
     const { token } = await auth.signIn({ email: '${email}', password: '${ownerPassword}' });
     const sms = new SmsClient({ baseUrl: '${baseUrl}', token });
     const stream = await sms.notifications.stream({ organizationId: '${organizationId}' }).open();
     stream.close();
     console.log('closed');`,
  );
  expect(printed).toBe('closed\n');
});

(chromium === undefined ? describe.skip : describe)('in Chromium', () => {
  test('its files run as they are: it sends, waits, and its errors are typed', async () => {
    const printed = await runInChromium({
      directory: join(project, 'node_modules/sms-service-client'),
      target: service.demo.baseUrl,
      program: `
        const { SmsClient, SmsApiError } = await import('/files/dist/index.js');
        const sms = new SmsClient({ baseUrl: location.origin, apiKey: '${service.demo.testApiKey}' });
        const { id } = await sms.messages.send({ to: '0911234567', text: 'from a browser' });
        const { status } = await sms.messages.waitFor(id);
        const refusal = await sms.messages.get('no-id').catch((error) => error);
        const unreachable = new SmsClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
        const { name, mayHaveArrived } = await unreachable.health.get().catch((error) => error);
        const isTyped = refusal instanceof SmsApiError;
        await finish(JSON.stringify({ status, isTyped, code: refusal.code, name, mayHaveArrived }));`,
    });
    expect(JSON.parse(printed)).toEqual({
      ...{ status: 'delivered', isTyped: true, code: 'not_found' },
      ...{ name: 'SmsConnectionError', mayHaveArrived: true },
    });
  });
});

describe('the types', () => {
  /** Compiles a program in the project, with every type of the DOM and of Node, and returns what the compiler says. */
  async function compile(program: string): Promise<string> {
    await writeFile(join(project, 'program.ts'), program);
    const options = {
      ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], strict: true, noEmit: true },
      ...{ exactOptionalPropertyTypes: true, types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
    );
    const tsc = resolve('node_modules/typescript/bin/tsc');
    return run(process.execPath, [tsc, '-p', project], { cwd: project }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  const prelude = `
    import { SmsClient, webhooks, type Message } from 'sms-service-client';
    declare const organizationId: string;
    declare const id: string;
    const sms = new SmsClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'key' });
  `;

  test('every example of the manual is of the types', async () => {
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(3);
    const imports = examples.join('\n').match(/^import .*$/gm) ?? [];
    const blocks = examples.map((text) => `{\n${text.replaceAll(/^import .*$/gm, '')}\n}`);
    expect(await compile([...imports, prelude, ...blocks].join('\n'))).toBe('');
  });

  test('an event of a webhook determines its data', async () => {
    const program = `
      const event = await webhooks.verify({ rawBody: '', headers: {}, secret: '' });
      if (event.event === 'message.received') event.data.inReplyToMessageId satisfies string;
      else event.data.deliveredAt satisfies string | null;`;
    expect(await compile(prelude + program)).toBe('');
  });

  const mistakes = [
    [
      'a field that does not exist',
      `await sms.messages.send({ to: '0911234567', text: 'a', sender: 'ACME' });`,
    ],
    ['a field that is missing', `await sms.messages.send({ to: '0911234567' });`],
    ['a value of the wrong type', `await sms.messages.send({ to: 911234567, text: 'a' });`],
    ['a status that does not exist', `sms.messages.list({ status: 'unknown' });`],
    ['a filter that does not exist', `sms.messages.list({ sender: 'ACME' });`],
    ['a key for a call that takes none', `await sms.contacts.delete(id, {}, { idempotencyKey: 'a' });`],
    ['a field of the answer that does not exist', `(await sms.messages.get(id)).sender;`],
    [
      'an answer of another call',
      `const message: Message = await sms.messages.estimate({ to: '', text: '' });`,
    ],
    ['a final status that is none', `(await sms.messages.waitFor(id)).status === 'queued';`],
  ] as const;
  let errors: Promise<string>;

  test.each(mistakes.map(([name], index) => [name, index] as const))('refuse %s', async (_name, index) => {
    // One run of the compiler finds all of them: each is a function on a line of its own.
    errors ??= compile(
      [
        prelude.replaceAll(/\n\s*/g, ' '),
        ...mistakes.map(([, line], number) => `export async function f${number}() { ${line} }`),
      ].join('\n'),
    );
    const ofLine = (await errors).split('\n').filter((error) => error.startsWith(`program.ts(${index + 2},`));
    expect(ofLine).toEqual([expect.stringMatching(/error TS\d+: (?!Cannot find)/)]);
  });
});
