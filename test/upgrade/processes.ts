import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { nodeFlags } from '../../scripts/embedded/children.ts';

export interface Running {
  stop: () => Promise<void>;
}

const linesToShow = 30;

/** Starts a process of a release, and waits until it is ready. It ends with this process. */
export async function startProcess(
  directory: string,
  program: string,
  environment: Record<string, string>,
): Promise<Running> {
  const child = fork(join(directory, program), {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...environment },
    execArgv: nodeFlags,
    silent: true,
  });
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const exited = once(child, 'exit');
  const outcome = await Promise.race([
    once(child, 'message').then(() => 'ready' as const),
    exited.then(([code]) => `ended with ${String(code)}`),
  ]);
  if (outcome !== 'ready')
    throw new Error(
      `${program} of ${directory} ${outcome}:\n${lines.join('').split('\n').slice(-linesToShow).join('\n')}`,
    );
  return {
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      if (code !== 0) throw new Error(`${program} of ${directory} did not stop cleanly: ${lines.join('')}`);
    },
  };
}

/** Runs a program of a release to its end. */
export async function runProgram(
  directory: string,
  program: string,
  environment: Record<string, string>,
): Promise<void> {
  const child = fork(join(directory, program), {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} of ${directory} ended with ${code}.`);
}

export interface Balancer extends Running {
  url: string;
  /** The ports of the APIs that get connections from now on, in turn. Connections to others are closed. */
  use: (ports: number[]) => void;
}

/** The address of the service while its APIs are replaced: what a load balancer is in production. */
export async function startBalancer(): Promise<Balancer> {
  let targets: number[] = [];
  let turn = 0;
  const open = new Map<Socket, number>();
  const server = createServer((client) => {
    const port = targets[turn++ % targets.length];
    if (port === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    open.set(client, port);
    client.on('error', () => undefined).on('close', () => (open.delete(client), upstream.destroy()));
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (ports) => {
      targets = ports;
      // Half closed, so that an answer that is on its way arrives.
      for (const [client, port] of open) if (!ports.includes(port)) client.end();
    },
    stop: async () => {
      server.close();
      for (const client of open.keys()) client.destroy();
      await once(server, 'close');
    },
  };
}
