import { checkRepository } from '../doctor/check-repository.ts';
import { checkService } from '../doctor/check-service.ts';
import { conclude, type Finding } from '../doctor/finding.ts';
import { defineCommand } from '../command.ts';
import type { Output } from '../output.ts';

const colours = { ok: 'green', failed: 'red', skipped: 'dim' } as const;

export const runDoctor = defineCommand({
  name: 'doctor',
  summary: 'Checks the service and what it needs, and says what to do.',
  description: [
    'Everywhere, it checks that the service answers, its parts, the credential, and the clock. In the repository, it also ' +
      'checks the configuration, the database and its migrations, Temporal, the workers, the gateway and the simulator, ' +
      'with the variables of the environment. What they leave out is taken from the data of `npm start` (DATA_DIR).',
    'It changes nothing. It fails if a check fails.',
  ],
  examples: ['sms doctor', 'DATABASE_URL=postgres://… sms doctor --json'],
  run: async (context) => {
    const { output } = context;
    const checks: Finding[] = [];
    for await (const finding of allChecks(context)) {
      checks.push(finding);
      if (output.isJson) continue;
      showFinding(output, finding);
    }
    const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
    if (output.isJson) output.result({ ok: failed === 0, checks }, () => []);
    else output.note(conclude(checks));
    return failed === 0;
  },
});

function showFinding(output: Output, { check, outcome, detail }: Finding): void {
  const [first = '', ...further] = detail.split('\n');
  const lines = [
    `${output.paint(colours[outcome], outcome.padEnd(7))}  ${check.padEnd(18)}  ${first}`,
    ...further.map((line) => ' '.repeat(29) + line.trim()),
  ];
  output.result({}, () => lines);
}

async function* allChecks(context: Parameters<typeof checkService>[0]): AsyncGenerator<Finding> {
  yield* checkRepository(context.environment, context.signal);
  yield* checkService(context);
}
