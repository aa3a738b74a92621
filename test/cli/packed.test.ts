import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync('cli/package.json', 'utf8')) as { version: string };

function npm(args: string[], directory: string): SpawnSyncReturns<string> {
  const result = spawnSync('npm', args, { cwd: directory, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${result.stderr}`);
  return result;
}

test('the packed command line runs where it is installed, without the repository', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'sms-packed-'));
  for (const folder of ['client', 'cli']) npm(['pack', '--pack-destination', elsewhere], folder);
  const packages = readdirSync(elsewhere).map((file) => `./${file}`);
  writeFileSync(join(elsewhere, 'package.json'), '{"private":true}');
  npm(['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], elsewhere);

  const installed = join(elsewhere, 'node_modules', 'sms-service-cli');
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
  expect(readdirSync(join(elsewhere, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'sms-service-cli',
    'sms-service-client',
  ]);
  const sms = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(join(elsewhere, 'node_modules', '.bin', 'sms'), args, {
      cwd: elsewhere,
      env: {
        PATH: process.env['PATH'],
        HOME: elsewhere,
        SMS_BASE_URL: 'http://127.0.0.1:9',
        SMS_API_KEY: 'sms_test_x',
      },
      encoding: 'utf8',
    });
  expect(sms('--version').stdout).toBe(`${version}\n`);
  expect(sms('send', '0911234567', 'Selam', '--json')).toMatchObject({
    ...{ status: 5, stdout: '' },
    stderr: expect.stringContaining('"code":"unreachable"'),
  });
  // The checks of the repository are left out.
  const { checks } = JSON.parse(sms('doctor', '--json').stdout) as { checks: { check: string }[] };
  expect(checks.map(({ check }) => check)).toEqual(['service']);
  rmSync(elsewhere, { recursive: true, force: true });
});

test('npx sms works in the repository, without a build', () => {
  const { status, stdout } = spawnSync('npx', ['--no', '--', 'sms', '--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `${version}\n`]);
});
