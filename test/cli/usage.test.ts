import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommandLine, type CommandLine } from '../helpers/command-line.ts';

let cli: CommandLine;
let commandNames: string[];

beforeAll(async () => {
  cli = await createCommandLine();
  const { stdout } = await cli.run([]);
  const [, list = ''] = /Commands:\n([^]*?)\n\n/.exec(stdout) ?? [];
  commandNames = [...list.matchAll(/^ {2}(\S+( \S+)?) {2,}/gm)].map(([, name]) => name!);
});

afterAll(() => cli?.remove());

/** What the command line refuses before it requests anything. */
const refusals: [args: string, exitCode: number, code: string][] = [
  ['sned', 2, 'usage'],
  ['contacts', 2, 'usage'],
  ['contacts imprt x.csv', 2, 'usage'],
  ['send', 2, 'usage'],
  ['send 0911234567', 2, 'usage'],
  ['send 0911234567 two words', 2, 'usage'],
  ['send 0911234567 text --unknown', 2, 'usage'],
  ['send 0911234567 text --from', 2, 'usage'],
  ['send 0911234567 text --timeout soon', 2, 'usage'],
  ['send 0911234567 text --timeout 0', 2, 'usage'],
  ['send 0911234567 text --metadata 17', 2, 'usage'],
  ['send 0911234567 text --webhook-secret 0123456789abcdef', 2, 'usage'],
  ['send 0911234567 text --listen --webhook-url http://127.0.0.1/', 2, 'usage'],
  ['messages list --status lost', 2, 'usage'],
  ['tail --since yesterday', 3, 'not_signed_in'],
  ['keys create name', 2, 'usage'],
  ['keys create name --permission everything', 2, 'usage'],
  ['redrive webhook', 2, 'usage'],
  ['redrive messages', 2, 'usage'],
  ['bulk create text', 2, 'usage'],
  ['webhooks listen --port 70000', 2, 'usage'],
  ['webhooks listen --forward-to ftp://127.0.0.1/', 2, 'usage'],
  ['completion tcsh', 2, 'usage'],
  ['--unknown', 2, 'usage'],
  ['messages get ', 2, 'usage'],
  ['login --owner', 2, 'usage'],
  ['login', 2, 'no_input'],
  ['login --demo', 2, 'no_demo'],
  ['contacts import missing.csv', 2, 'file'],
  ['contacts import .', 2, 'file'],
  ['whoami', 3, 'not_signed_in'],
  ['whoami --profile work', 3, 'not_signed_in'],
  ['send 0911234567 text', 3, 'not_signed_in'],
];

test.each(refusals)('sms %s ends with %i and the code %s', async (args, exitCode, code) => {
  // A directory without the demo of a service that runs on this machine.
  const environment = { DATA_DIR: cli.configDirectory };
  const result = await cli.run([...args.split(' '), '--json'], { environment });
  expect([result.exitCode, result.stdout]).toEqual([exitCode, '']);
  expect(result.problem()).toEqual({ type: 'about:blank', code, detail: expect.any(String), exitCode });
});

test('without --json, an error is one sentence for people and where to read on', async () => {
  const { exitCode, stdout, stderr } = await cli.run(['send', '0911234567']);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe('sms: TEXT is missing.\n  `sms send --help` explains it.\n');
});

test.each([
  ['sned', 'There is no command sned.\n  `sms --help` lists the commands.'],
  ['send 0911234567 -x', 'Unknown option -x. Put -- before arguments that begin with a dash.'],
  ['send 0911234567 x --timeout -1', '--timeout needs a value. One that begins with a dash: --timeout=-….'],
  ['send 0911234567 x --timeout', '--timeout needs a value.'],
  ['send 0911234567 x --wait=yes', "Option '--wait' does not take an argument"],
])('sms %s says what to write instead', async (args, message) => {
  const { stderr } = await cli.run(args.split(' '));
  expect(stderr).toContain(`sms: ${message}`);
});

test.each(['whoami', 'messages list', 'send 0911234567 text'])(
  'sms %s --organization is refused with a key',
  async (command) => {
    const environment = { SMS_API_KEY: 'sms_test_key', SMS_BASE_URL: 'http://127.0.0.1:1' };
    const args = [...command.split(' '), '--organization', 'another', '--json'];
    const result = await cli.run(args, { environment });
    expect([result.exitCode, result.problem().detail]).toEqual([
      2,
      expect.stringContaining('needs a session'),
    ]);
  },
);

test('output that cannot be written is a failure, also if it is one line', () => {
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', `'${process.execPath}' '${cli.program}' help > /dev/full`],
    {
      env: { ...process.env, ...cli.environment },
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([1, expect.stringContaining('sms: The output cannot be written: ENOSPC')]);
});

test('every command has a help with a summary, its usage and an example of itself', async () => {
  expect(commandNames.length).toBeGreaterThan(25);
  const helps = await Promise.all(commandNames.map((name) => cli.run([...name.split(' '), '--help'])));
  commandNames.forEach((name, index) => {
    const { exitCode, stdout } = helps[index]!;
    expect([name, exitCode]).toEqual([name, 0]);
    expect(stdout).toMatch(/^[A-Z].+\.\n\nUsage:\n {2}sms /);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n(.+\\n)*.*sms ${name}`));
    expect(stdout.split('\n').filter((line) => line.length > 110)).toEqual([]);
  });
});

test('the guide explains every command, every exit code and every variable', async () => {
  const guide = readFileSync('docs/guide/command-line.md', 'utf8');
  const { stdout } = await cli.run([]);
  const [, codes = ''] = /Exit codes:\n([^]*?)\n\n/.exec(stdout) ?? [];
  for (const line of codes.split('\n')) expect(guide).toContain(`| ${line.trim().split(/ {2,}/)[0]} `);
  for (const name of commandNames) expect(guide).toContain(`\`${name}\``);
  for (const [variable] of stdout.matchAll(/\bSMS_[A-Z_]+\b|NO_COLOR/g))
    expect(guide).toContain(`\`${variable}\``);
});

describe('completion', () => {
  function complete(...words: string[]): string[] {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const command =
      `source <('${process.execPath}' '${cli.program}' completion bash)\n` +
      `COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1}\n_sms\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { env: cli.environment, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  }

  test('the script for bash is valid, and completes commands, options, choices and files', async () => {
    const { stdout } = await cli.run(['completion', 'bash']);
    expect(spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(complete('sms', 'est')).toEqual(['estimate']);
    expect(complete('sms', 'contacts', '')).toEqual(expect.arrayContaining(['import', 'export', '--json']));
    expect(complete('sms', 'send', '0911234567', '--web')).toEqual(['--webhook-url', '--webhook-secret']);
    expect(complete('sms', '--json', 'messages', 'list', '--status', 'de')).toEqual(['delivered']);
    expect(complete('sms', 'keys', 'create', 'x', '--permission', 'bulk')).toHaveLength(3);
    writeFileSync(join(cli.configDirectory, 'people.csv'), '');
    expect(complete('sms', 'contacts', 'import', join(cli.configDirectory, 'peo'))).toEqual([
      join(cli.configDirectory, 'people.csv'),
    ]);
  });

  test.each([
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ])('the script for %s is valid, where that shell is installed', async (shell, options) => {
    const { exitCode, stdout } = await cli.run(['completion', shell]);
    expect(exitCode).toBe(0);
    for (const name of commandNames) expect(stdout).toContain(name.split(' ').at(-1));
    // Null if there is no such shell.
    const { status } = spawnSync(shell, options, { input: stdout });
    expect(status ?? 0).toBe(0);
  });
});

test('a configuration that is no JSON is named, and nothing is overwritten', async () => {
  const other = await createCommandLine();
  const file = join(other.configDirectory, 'sms-service', 'config.json');
  await other.run(['logout']);
  expect(readdirSync(other.configDirectory)).toEqual([]);
  spawnSync('mkdir', ['-p', join(other.configDirectory, 'sms-service')]);
  writeFileSync(file, '{"profiles":');
  const { exitCode, stderr } = await other.run(['whoami']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(file)]);
  expect(statSync(file).size).toBe(12);
  await other.remove();
});
