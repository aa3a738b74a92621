import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMobileOriginatedUrl } from '../../src/gateway/kannel.ts';
import { readReceivedMessages } from './received-messages.ts';
import type { ReceivedMessage } from './received-messages.ts';

/** The paths of Debian's packages kannel and kannel-extras. */
const PROGRAMS = {
  bearerbox: '/usr/sbin/bearerbox',
  smsbox: '/usr/sbin/smsbox',
  fakesmsc: '/usr/lib/kannel/test/fakesmsc',
} as const;
const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 10_000;

export type KannelOptions = {
  /** The URL at which Kannel reaches the API. */
  callbackBaseUrl: string;
  gatewayToken: string;
  /** Holds the configuration, stores and logs, and is kept. Default: a temporary directory that stop removes. */
  directory?: string;
  /** Numbers with this prefix get "Not routable". Default +979, which is international premium rate. */
  unroutablePrefix?: string;
  /** Kannel's levels: 0 debug, 1 info, 2 warning. At 1 and 0 its logs contain texts and numbers. Default 2. */
  logLevel?: 0 | 1 | 2;
};

export type Kannel = {
  sendsmsUrl: string;
  username: string;
  password: string;
  smscPort: number;
  /** Bearerbox's status page with connections and queues, as text. */
  statusUrl: string;
  directory: string;
  processIds: { bearerbox: number; smsbox: number; fakesmsc: number };
  phone: {
    /** All messages that the phone has received, in the order in which they became complete. */
    received(): Promise<ReceivedMessage[]>;
    /** Sends a message from a phone to the service. Resolves when bearerbox's SMSC has it. */
    send(from: string, to: string, text: string): Promise<void>;
  };
  stop(): Promise<void>;
};

/** The programs of Kannel that this machine does not have. */
export function missingKannelPrograms(): string[] {
  return Object.values(PROGRAMS).filter((program) => !existsSync(program));
}

export function isKannelInstalled(): boolean {
  return missingKannelPrograms().length === 0;
}

/**
 * Starts a complete Kannel on loopback and free ports: bearerbox, smsbox, and fakesmsc, which simulates an SMSC and
 * all phones. Resolves when a message can pass through it.
 */
export async function startKannel(options: KannelOptions): Promise<Kannel> {
  const missing = missingKannelPrograms();
  if (missing.length > 0) {
    throw new Error(
      `Kannel is not installed: no ${missing.join(', ')}. Debian: apt install kannel kannel-extras`,
    );
  }
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'kannel-')));
  const [adminPort, smsboxPort, sendsmsPort, smscPort, outgoingSmscPort] = await findFreePorts();
  const [username, password, adminPassword] = [
    'sms',
    randomBytes(12).toString('hex'),
    randomBytes(12).toString('hex'),
  ];
  await mkdir(join(directory, 'store'), { recursive: true });
  await mkdir(join(directory, 'reports'), { recursive: true });
  const configuration = await fillTemplate({
    directory,
    adminPort,
    adminPassword,
    smsboxPort,
    sendsmsPort,
    smscPort,
    outgoingSmscPort,
    username,
    password,
    unroutablePrefix: options.unroutablePrefix ?? '+979',
    logLevel: options.logLevel ?? 2,
    mobileOriginatedUrl: createMobileOriginatedUrl({
      baseUrl: options.callbackBaseUrl,
      token: options.gatewayToken,
    }),
  });
  const configurationFile = join(directory, 'kannel.conf');
  await writeFile(configurationFile, configuration, { mode: 0o600 });

  const parts: Part[] = [];
  const start = (program: keyof typeof PROGRAMS, programArguments: string[]) => {
    const part = startPart(program, programArguments, directory);
    parts.push(part);
    return part;
  };
  const statusUrl = `http://127.0.0.1:${adminPort}/status.txt?password=${adminPassword}`;
  const smsboxPidFile = join(directory, 'smsbox.pid');
  const phoneLog = join(directory, 'fakesmsc.log');
  const stop = async () => {
    await Promise.all(parts.map(stopPart));
    await stopRestartedSmsbox(smsboxPidFile, configurationFile);
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };

  try {
    const bearerbox = start('bearerbox', [configurationFile]);
    await waitFor(() => fetchText(statusUrl), bearerbox);
    const smsbox = start('smsbox', ['--pid-file', smsboxPidFile, configurationFile]);
    // -m 0 with one unused message: not interactive, sends nothing, and prints received messages at once (-v 0).
    const fakesmsc = start('fakesmsc', [...fakesmscArguments(smscPort, 0), '0 0 text unused']);
    await waitFor(async () => /phone\[?.*online/i.test(await fetchText(statusUrl)), fakesmsc);
    await waitFor(() => fetchText(`http://127.0.0.1:${sendsmsPort}/`), smsbox);
    return {
      sendsmsUrl: `http://127.0.0.1:${sendsmsPort}/cgi-bin/sendsms`,
      username,
      password,
      smscPort,
      statusUrl,
      directory,
      processIds: { bearerbox: bearerbox.pid, smsbox: smsbox.pid, fakesmsc: fakesmsc.pid },
      phone: {
        received: async () => readReceivedMessages(await readFile(phoneLog, 'utf8')),
        send: createPhoneSender(outgoingSmscPort),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Part = { name: string; child: ChildProcess; pid: number; logFile: string; exited: Promise<unknown> };

function startPart(program: keyof typeof PROGRAMS, programArguments: string[], directory: string): Part {
  const logFile = join(directory, `${program}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(PROGRAMS[program], programArguments, { stdio: ['ignore', log, log], cwd: directory });
  const exited = once(child, 'exit');
  if (child.pid === undefined) throw new Error(`${PROGRAMS[program]} cannot be run`);
  // Kills the part if the process that started it ends without calling stop.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return { name: program, child, pid: child.pid, logFile, exited };
}

async function stopPart(part: Part): Promise<void> {
  if (part.child.exitCode !== null || part.child.signalCode !== null) return;
  // fakesmsc has no state to lose, and misses a SIGINT that arrives just before it waits.
  part.child.kill(part.name === 'fakesmsc' ? 'SIGKILL' : 'SIGTERM');
  const timer = setTimeout(() => part.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await part.exited;
  clearTimeout(timer);
}

/**
 * An smsbox that lost bearerbox restarts itself ten seconds later, as a process that is not a child of this one.
 * It removes its pid file when it ends.
 */
async function stopRestartedSmsbox(pidFile: string, configurationFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (pid === 0) return;
  const isRunning = async () => {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    // The file may remain from a killed process, and its pid may now belong to another process.
    return commandLine.includes(configurationFile);
  };
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (await isRunning()) {
    try {
      process.kill(pid, Date.now() < deadline ? 'SIGTERM' : 'SIGKILL');
    } catch {
      return; // It has already ended.
    }
    await sleep(100);
  }
}

/** Runs one fakesmsc process for each message, one after the other, because the SMSC serves one client at a time. */
function createPhoneSender(outgoingSmscPort: number): Kannel['phone']['send'] {
  let previous: Promise<unknown> = Promise.resolve();
  return (from, to, text) => {
    const sent = previous.then(() => sendFromPhone(outgoingSmscPort, from, to, text));
    previous = sent.catch(() => undefined);
    return sent;
  };
}

async function sendFromPhone(port: number, from: string, to: string, text: string): Promise<void> {
  for (const line of linesOf(text)) await sendLine(port, `${from} ${to} ${line}`);
}

/** The maximum characters of a single-segment text, and of each segment of a longer text. */
const ALONE = 160;
const IN_SEGMENT = 153;
let segmentedTexts = 0;

/**
 * The lines that make fakesmsc send a text: its type and the text itself. A line is a message, so a text with line
 * breaks is sent as URL-encoded data. A longer text is sent as a phone sends it, in segments that Kannel joins.
 */
function linesOf(text: string): string[] {
  if (text.length <= ALONE)
    return [/[\r\n]/.test(text) ? `data ${encodeURIComponent(text)}` : `text ${text}`];
  segmentedTexts = (segmentedTexts + 1) % 256;
  const total = Math.ceil(text.length / IN_SEGMENT);
  return Array.from({ length: total }, (_, index) => {
    // Concatenation with an 8-bit reference: 3GPP TS 23.040, 9.2.3.24.1.
    const header = Buffer.from([5, 0, 3, segmentedTexts, total, index + 1])
      .toString('hex')
      .replace(/../g, '%$&');
    const part = text.slice(index * IN_SEGMENT, (index + 1) * IN_SEGMENT);
    return `udh ${header} ${encodeURIComponent(part)}`;
  });
}

async function sendLine(port: number, line: string): Promise<void> {
  const child = spawn(PROGRAMS.fakesmsc, [...fakesmscArguments(port, 1), line], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
    // It has written the message and would wait for others. The SMSC reads to the end of the connection.
    // Not SIGINT: fakesmsc misses a SIGINT that arrives just before it waits.
    if (log.includes('sent message 1')) child.kill('SIGKILL');
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
  if (!log.includes('sent message 1')) throw new Error(`fakesmsc could not send to port ${port}: ${log}`);
}

function fakesmscArguments(port: number, messages: number): string[] {
  return ['-H', '127.0.0.1', '-r', String(port), '-v', '0', '-i', '0', '-m', String(messages)];
}

async function fillTemplate(values: Record<string, string | number>): Promise<string> {
  const template = await readFile(join(import.meta.dirname, 'kannel.conf'), 'utf8');
  return template.replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => {
    const value = values[name];
    if (value === undefined || /["\n]/.test(String(value))) {
      throw new Error(
        `kannel.conf cannot take the value of ${name}: it is missing, or has a quote or a line break`,
      );
    }
    return String(value);
  });
}

/** All ports are held at the same time, so they differ. Another process could still take one before Kannel does. */
async function findFreePorts(): Promise<[number, number, number, number, number]> {
  const held = await Promise.all([holdPort(), holdPort(), holdPort(), holdPort(), holdPort()]);
  for (const { release } of held) release();
  const [first, second, third, fourth, fifth] = held;
  return [first.port, second.port, third.port, fourth.port, fifth.port];
}

async function holdPort(): Promise<{ port: number; release: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return { port: address.port, release: () => server.close() };
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  return response.text();
}

/** Waits until the condition holds. Fails at once if the part that would fulfil it has ended. */
async function waitFor(condition: () => Promise<unknown>, part: Part): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (await condition().catch(() => false)) return;
    if (part.child.exitCode !== null || part.child.signalCode !== null || Date.now() > deadline) {
      const log = await readFile(part.logFile, 'utf8');
      throw new Error(`Kannel's ${part.name} did not start. The end of its log:\n${log.slice(-2_000)}`);
    }
    await sleep(25);
  }
}
