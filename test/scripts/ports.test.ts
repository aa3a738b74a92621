import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choosePorts, findFreePort, isPortFree } from '../../scripts/embedded/ports.ts';

let directory: string;
let file: string;
let occupier: Server;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ports-'));
  file = join(directory, 'ports.json');
  occupier = createServer();
});
afterEach(() => {
  occupier.close();
  rmSync(directory, { recursive: true });
});

async function occupy(port: number): Promise<void> {
  occupier.listen(port, '127.0.0.1');
  await once(occupier, 'listening');
}

describe('the ports of the parts', () => {
  it('are the defaults at first, and the same at the next start', async () => {
    const first = await findFreePort();
    expect(await choosePorts(file, { postgres: first })).toEqual({ postgres: first });
    const other = await findFreePort();
    expect(await choosePorts(file, { postgres: other })).toEqual({ postgres: first });
  });

  it('give way to whoever has one already', async () => {
    const taken = await findFreePort();
    await occupy(taken);
    const { postgres } = await choosePorts(file, { postgres: taken });
    expect(postgres).not.toBe(taken);
    expect(await isPortFree(postgres)).toBe(true);
  });

  it('are kept from another start that has chosen them but does not listen yet, until it ends', async () => {
    const port = await findFreePort();
    const module = new URL('../../scripts/embedded/ports.ts', import.meta.url).href;
    const script = `const { choosePorts } = await import('${module}');
      console.log((await choosePorts('${file}.other', { temporal: ${port} })).temporal);
      process.stdin.resume();`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [said] = (await once(other.stdout, 'data')) as [Buffer];
    expect(Number(said.toString())).toBe(port);
    expect(await choosePorts(file, { temporal: port })).not.toEqual({ temporal: port });
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await choosePorts(`${file}.third`, { temporal: port })).toEqual({ temporal: port });
  });

  it('are all different', async () => {
    const port = await findFreePort();
    const chosen = await choosePorts(file, { temporal: port, simulator: port });
    expect(chosen.temporal).toBe(port);
    expect(chosen.simulator).not.toBe(port);
  });

  it.each(['', 'not json', '{"postgres":"x"}', '[]'])(
    'are the defaults when the file holds %j',
    async (content) => {
      writeFileSync(file, content);
      const port = await findFreePort();
      expect(await choosePorts(file, { postgres: port })).toEqual({ postgres: port });
    },
  );
});

it('a port is not free on an address that is not this machine’s', async () => {
  expect(await isPortFree(3000, '192.0.2.1')).toBe(false);
});
