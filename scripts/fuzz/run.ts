/**
 * npm run fuzz -- [--seed N] [--examples N] [--seconds N]: starts the service, and sends requests that Schemathesis
 * generates from the contract, as each of four callers. A 5xx, a response that does not fit the contract, and a
 * connection that breaks are findings. The exit code is 1 after a finding, 2 if Schemathesis could not do its work, and
 * 0 otherwise. Where Schemathesis cannot be installed, it says so and ends with 0, or with 2 if FUZZ_REQUIRED is set.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from '../../bench/service.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { makeCallers, type Caller, type CallerName } from './callers.ts';
import { contractFor, type CallerContract } from './contract-for.ts';
import { makeThings } from './make-things.ts';
import type { FuzzReport } from './read-events.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';

const cacheDir = fileURLToPath(new URL('../../.cache', import.meta.url));
const say = (line = ''): void => void process.stdout.write(`${line}\n`);
/** Far above what a run reaches. */
const noLimit = '100000000';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '75' },
  },
});
const installed = await installSchemathesis(cacheDir, say);
if ('missing' in installed) {
  say(`Schemathesis cannot be installed (${installed.missing}): skipped.`);
  process.exit(process.env['FUZZ_REQUIRED'] ? 2 : 0);
}
const directory = join(cacheDir, 'fuzz');
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
process.exit(await fuzz(installed.python));

async function fuzz(python: string): Promise<number> {
  const service = await startService({
    RATE_LIMIT_PER_MINUTE: noLimit,
    ORGANIZATION_RATE_LIMIT_PER_MINUTE: noLimit,
    AUTH_RATE_LIMIT_PER_MINUTE: noLimit,
    ACCOUNT_RATE_LIMIT_PER_MINUTE: noLimit,
    ACCOUNT_STRANGERS_RATE_LIMIT_PER_MINUTE: noLimit,
    MAILS_TO_ADDRESS_PER_DAY: noLimit,
    INVITATIONS_TO_ADDRESS_PER_DAY: noLimit,
    INVITATIONS_BY_USER_PER_DAY: noLimit,
    ORGANIZATIONS_PER_USER: noLimit,
  });
  try {
    const { demo } = service;
    const contract = loadContract();
    const ids = await makeThings(demo);
    const callers = await makeCallers(demo);
    const run = async (caller: Caller): Promise<Result> => {
      const own = contractFor(caller.name, contract, { ids, gatewayToken: demo.gatewayToken });
      const report = await runSchemathesis({
        ...{ python, caller, directory, document: own.document, baseUrl: demo.baseUrl },
        ...{ seed: Number(values.seed), examples: Number(values.examples), seconds: Number(values.seconds) },
      });
      const isStillCaller = caller.ownPath === null || (await reads(demo.baseUrl, caller));
      if (!isStillCaller) report.findings.push('The caller lost its credential during the run.');
      return { caller: caller.name, own, report };
    };
    // Two at a time: Schemathesis takes most of the processor, and the service the rest.
    const results: Result[] = [];
    for (const pair of [callers.slice(0, 2), callers.slice(2)])
      results.push(...(await Promise.all(pair.map(run))));
    return tell(results);
  } finally {
    await service.stop();
  }
}

interface Result {
  caller: CallerName;
  own: CallerContract;
  report: FuzzReport;
}

async function reads(baseUrl: string, { ownPath, headers }: Caller): Promise<boolean> {
  const response = await fetch(`${baseUrl}${ownPath}`, { headers });
  await response.body?.cancel();
  return response.status === 200;
}

/** Prints what was sent and found. Returns the exit code. */
function tell(results: Result[]): number {
  say(`Seed ${values.seed}`);
  let exitCode = 0;
  for (const { caller, own, report } of results) {
    const cases = [...report.cases.values()].reduce((sum, count) => sum + count, 0);
    const classes = [...report.statuses].reduce<Record<string, number>>((counts, [status, count]) => {
      const name = `${Math.floor(status / 100)}xx`;
      return { ...counts, [name]: (counts[name] ?? 0) + count };
    }, {});
    const ofClasses = Object.entries(classes)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${count} × ${name}`);
    say(`\n${caller}: ${cases} requests to ${report.cases.size} operations; ${ofClasses.join(', ')}`);
    for (const [operation, count] of [...report.cases].toSorted(([one], [other]) => one.localeCompare(other)))
      say(`  ${String(count).padStart(4)} ${operation}`);
    for (const { operation, reason } of own.excluded)
      say(`     - ${operation.operationId}: left out, ${reason}`);
    const unsent = own.operations.filter(({ method, path }) => !report.cases.has(`${method} ${path}`));
    for (const { method, path } of unsent) say(`     0 ${method} ${path}: not reached in time`);
    for (const error of report.toolErrors) say(`  Schemathesis itself failed: ${error}`);
    for (const finding of report.findings) say(`  FOUND ${finding}`);
    if (report.findings.length > 0) exitCode = 1;
    else if (!report.isComplete && exitCode === 0) exitCode = 2;
  }
  const count = results.reduce((sum, { report }) => sum + report.findings.length, 0);
  say(`\n${count} findings. The events and requests are in .cache/fuzz.`);
  return exitCode;
}
