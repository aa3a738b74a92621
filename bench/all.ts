import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { isKannelInstalled, startKannel, type Kannel } from '../scripts/kannel/start.ts';
import { acceptRound } from './scenarios/accept.ts';
import { measureBulk } from './scenarios/bulk.ts';
import { benchPepper, codesRound } from './scenarios/codes.ts';
import { latencyRound } from './scenarios/latency.ts';
import { reportsRound } from './scenarios/reports.ts';
import type { Figure, RunRound } from './scenarios/scenario.ts';
import { sendRound } from './scenarios/send.ts';
import { webhooksRound } from './scenarios/webhooks.ts';
import { writePage } from './performance/write-page.ts';
import { freePort, startService, type RunningService } from './service.ts';
import { summarize, toJson, toTable } from './summarize.ts';
import { startOwnSimulator } from './yardsticks.ts';

const gatewayToken = 'gateway-token-of-the-bench';

/**
 * Measures each scenario against its yardstick, interleaved over several rounds, and prints the median and the range of
 * each figure. A round in which something is lost ends the bench without figures.
 *
 * Options: the number of rounds (5), the operations of a round (2000), the names of the scenarios (all of them),
 * `--write`, which stores the figures in docs/performance, and `--json FILE`, which writes them for programs.
 */
export async function allBench(given: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: given,
    options: { write: { type: 'boolean', default: false }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const [rounds = '5', operations = '2000', ...names] = positionals;
  const port = await freePort();
  const kannel = isKannelInstalled()
    ? await startKannel({ callbackBaseUrl: `http://127.0.0.1:${port}`, gatewayToken })
    : null;
  const service = await startService({
    ...{ PORT: String(port), GATEWAY_TOKEN: gatewayToken },
    SECURITY_CODE_PEPPER: benchPepper,
    // The rates are raised, so that the bench measures the machine.
    ...{ BULK_RATE_PER_SECOND: '100000', SENDER_RATE_PER_SECOND: '100000' },
    ...{ RATE_LIMIT_PER_MINUTE: '10000000', ORGANIZATION_RATE_LIMIT_PER_MINUTE: '10000000' },
    ...(kannel && {
      GATEWAY_URL: kannel.sendsmsUrl,
      GATEWAY_USERNAME: kannel.username,
      GATEWAY_PASSWORD: kannel.password,
    }),
  });
  const database = new Client({ connectionString: service.demo.databaseUrl });
  try {
    await database.connect();
    const scenarios = Object.entries(listScenarios(service, kannel)).filter(
      ([name]) => names.length === 0 || names.includes(name),
    );
    const bench = { service, database, operations: Number(operations) };
    // The first round warms the processes up: code is compiled, and connections are open.
    for (const [, run] of scenarios) await run({ ...bench, operations: 300 });
    const figures: Figure[] = [];
    for (let round = 1; round <= Number(rounds); round += 1) {
      for (const [scenario, run] of scenarios) {
        process.stderr.write(`Round ${round} of ${rounds}: ${scenario} …\n`);
        figures.push(...(await run(bench)).map((figure) => ({ ...figure, scenario })));
      }
    }
    const rows = summarize(figures);
    process.stdout.write(toTable(rows));
    if (values.json !== undefined) await writeFile(values.json, toJson(figures));
    if (values.write) {
      await writePage(rows, { rounds: Number(rounds), operations: Number(operations) });
    }
  } finally {
    await database.end();
    await service.stop();
    await kannel?.stop();
  }
}

function listScenarios({ demo }: RunningService, kannel: Kannel | null): Record<string, RunRound> {
  const simulator = { apiKey: demo.testApiKey, startGateway: startOwnSimulator };
  const realKannel = kannel && {
    apiKey: demo.liveApiKey,
    startGateway: () =>
      Promise.resolve({
        ...{ url: kannel.sendsmsUrl, username: kannel.username, password: kannel.password },
        stop: () => Promise.resolve(),
      }),
  };
  return {
    ...(realKannel && { kannel: (bench) => sendRound(bench, { ...realKannel, through: 'Kannel' }) }),
    simulator: (bench) => sendRound(bench, { ...simulator, through: 'the simulator' }),
    accept: acceptRound,
    reports: reportsRound,
    webhooks: webhooksRound,
    bulk: measureBulk(realKannel ?? simulator),
    codes: codesRound,
    latency: (bench) => latencyRound(bench, realKannel ?? simulator),
  };
}
