import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export const oidcClient = { clientId: 'sms', clientSecret: 'secret-of-the-client' };

const program = fileURLToPath(new URL('./oidc-provider-process.mjs', import.meta.url));

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts an OpenID provider on a port, with one client that returns to `redirectUri`. */
export async function startOidcProvider(
  port: number,
  redirectUri: string,
): Promise<{ stop: () => Promise<void> }> {
  const child = fork(program, [String(port), redirectUri], { execArgv: [], silent: true, env: {} });
  const exited = once(child, 'exit');
  const outcome = await Promise.race([once(child, 'message'), exited]);
  if (outcome[0] !== 'ready') throw new Error(`The OpenID provider ended with ${String(outcome[0])}.`);
  return {
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
