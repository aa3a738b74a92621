import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A project of its own with the real run.mjs and the real npm; its one dependency, "node", lies beside it, so no
// registry is needed.
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'run-'));
  cpSync('scripts/run.mjs', join(project, 'scripts/run.mjs'));
  cpSync('scripts/embedded/process-record.mjs', join(project, 'scripts/embedded/process-record.mjs'));
  mkdirSync(join(project, 'node-stub'));
  writeFileSync(join(project, 'node-stub/node'), `#!/bin/sh\nVIA_STUB=1 exec ${process.execPath} "$@"\n`);
  chmodSync(join(project, 'node-stub/node'), 0o755);
  writeVersion('1.0.0');
  writeFileSync(
    join(project, 'entry.mjs'),
    `console.log(JSON.stringify({ viaStub: process.env.VIA_STUB, arguments: process.argv.slice(2), path: process.env.PATH }));
     process.exit(7);`,
  );
});
afterEach(() => rmSync(project, { recursive: true }));

/** Writes package.json and the lock of a project that depends on that version of the stub. */
function writeVersion(version: string): void {
  writeFileSync(
    join(project, 'node-stub/package.json'),
    JSON.stringify({ name: 'node', version, bin: 'node' }),
  );
  const root = { name: 'project', version: '1.0.0', dependencies: { node: 'file:node-stub' } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(root));
  const packages = {
    '': root,
    'node-stub': { name: 'node', version, bin: { node: 'node' } },
    'node_modules/node': { resolved: 'node-stub', link: true },
  };
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
}

function run(...commandArguments: string[]): { code: number | null; output: string } {
  const result = spawnSync(process.execPath, ['scripts/run.mjs', ...commandArguments], {
    cwd: project,
    encoding: 'utf8',
  });
  return { code: result.status, output: result.stdout + result.stderr };
}

describe('scripts/run.mjs', () => {
  it('installs what is missing, then runs the entry with the installed Node first on the PATH', () => {
    const { code, output } = run('entry.mjs', 'a', 'b c');
    expect(output).toContain('Installing the locked dependencies');
    const said: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    expect(said).toMatchObject({ viaStub: '1', arguments: ['a', 'b c'] });
    expect(said).toHaveProperty('path', expect.stringMatching(`^${join(project, 'node_modules/.bin')}:`));
    expect(code).toBe(7);
  }, 60_000);

  it('does not install again what is there', () => {
    run();
    const marker = join(project, 'node_modules/marker');
    writeFileSync(marker, '');
    expect(run('entry.mjs').output).not.toContain('Installing');
    expect(existsSync(marker)).toBe(true);
  }, 60_000);

  it('installs again when package-lock.json has changed', () => {
    run();
    writeVersion('1.0.1');
    expect(run().output).toContain('Installing the locked dependencies');
  }, 60_000);

  it('installs again when an installation was cut short', () => {
    run();
    rmSync(join(project, 'node_modules/.package-lock.json'));
    expect(run().output).toContain('Installing the locked dependencies');
  }, 60_000);

  it('fails with npm’s own message when the lock cannot be installed', () => {
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'project', dependencies: { node: '^9' } }),
    );
    const { code, output } = run('entry.mjs');
    expect(code).not.toBe(0);
    expect(output).toContain('npm ci failed');
    expect(output).toMatch(/npm error/i);
    expect(readFileSync(join(project, 'package-lock.json'), 'utf8')).toContain('1.0.0');
  }, 60_000);
});
