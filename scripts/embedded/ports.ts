import { randomInt } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { takeLock } from './process-record.mjs';

/** Whether a TCP server could listen there now. Also false if the address does not belong to this machine. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

/** Returns a TCP port of the loopback address that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const port = await listenOnce(0, '127.0.0.1');
  if (port === undefined) throw new Error('No TCP port is free on 127.0.0.1.');
  return port;
}

/**
 * Returns a free TCP port of the loopback address below those of outgoing connections (on Linux 32768 and above): until
 * the server listens, some seconds later, no connection can take it. No other start by this user gets it.
 */
export async function findServerPort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if ((await isPortFree(port)) && reservePort(port)) return port;
  }
}

/**
 * Chooses a loopback port for each name: its previous port, or its default, or a free port if that one is in use. The
 * choice is kept in `file`, so that addresses stay the same across restarts.
 */
export async function choosePorts<Ports extends Record<string, number>>(
  file: string,
  defaults: Ports,
): Promise<Ports> {
  const chosen: Ports = { ...defaults, ...readPorts(file) };
  const taken = new Set<number>();
  for (const name of Object.keys(defaults)) {
    const wanted = chosen[name];
    const isUsable =
      wanted !== undefined && !taken.has(wanted) && (await isPortFree(wanted)) && reservePort(wanted);
    const port = isUsable ? wanted : await findServerPort();
    taken.add(port);
    Object.assign(chosen, { [name]: port });
  }
  writeFileSync(`${file}.new`, JSON.stringify(chosen), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return chosen;
}

/**
 * Reserves a port against other starts by this user until this process ends. Some seconds pass between the choice of a
 * port and the start of the server that listens on it. In this time, two starts would both find it free.
 */
function reservePort(port: number): boolean {
  const directory = join(tmpdir(), `sms-service-ports-${userInfo().uid}`);
  return takeLock(join(directory, String(port))) === undefined;
}

const portsFile = z.record(z.string(), z.int().min(1).max(65535));

function readPorts(file: string): Record<string, number> {
  try {
    return portsFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {}; // The file does not exist yet or is unreadable: use the defaults.
  }
}

async function listenOnce(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
