import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conclude } from '../../cli/src/doctor/finding.ts';
import { createCommandLine, type CommandLine } from '../helpers/command-line.ts';

// Nothing listens there, so a command that would send the credential ends with 5, unreachable.
const own = 'http://127.0.0.1:1';
const elsewhere = 'http://127.0.0.1:9';
let cli: CommandLine;

beforeAll(async () => {
  cli = await createCommandLine();
  const directory = join(cli.environment['XDG_CONFIG_HOME']!, 'sms-service');
  mkdirSync(directory, { recursive: true });
  const profiles = { work: { baseUrl: own, apiKey: 'sms_test_stored' } };
  writeFileSync(join(directory, 'config.json'), JSON.stringify({ current: 'work', profiles }));
});

afterAll(() => cli?.remove());

test.each([
  ['without SMS_BASE_URL it is used', {}, [], 5, 'unreachable'],
  ['with the same SMS_BASE_URL it is used', { SMS_BASE_URL: `${own}/` }, [], 5, 'unreachable'],
  ['at another URL there is none', { SMS_BASE_URL: elsewhere }, [], 3, 'not_signed_in'],
  [
    'a profile that was named is refused there',
    { SMS_BASE_URL: elsewhere },
    ['--profile', 'work'],
    2,
    'usage',
  ],
  [
    'a key of the environment goes wherever the environment says',
    { SMS_BASE_URL: elsewhere, SMS_API_KEY: 'sms_test_given' },
    [],
    5,
    'unreachable',
  ],
] as const)(
  'the key of a profile goes only to its own service: %s',
  async (_name, environment, options, exitCode, code) => {
    const result = await cli.run(['messages', 'list', '--json', ...options], { environment });
    expect([result.exitCode, result.problem().code]).toEqual([exitCode, code]);
  },
);

test.each([
  [['ok', 'ok'], 'Everything works.'],
  [['ok', 'skipped'], 'What was checked works. 1 of 2 checks were skipped.'],
  [['ok', 'skipped', 'failed'], '1 of 3 checks failed.'],
] as const)('doctor concludes from %j: %s', (outcomes, conclusion) => {
  const checks = outcomes.map((outcome) => ({ check: 'x', outcome, detail: '' }));
  expect(conclude(checks)).toBe(conclusion);
});
