import { join } from 'node:path';
import { readDemo } from './demo.ts';
import { demoComforts, type StartSettings } from './settings.ts';

/** The lines that `npm start` prints when everything runs. The last line is `ready`. */
export function announce(
  settings: StartSettings,
  { temporalUiUrl, metricsPort }: { temporalUiUrl: string | undefined; metricsPort: number },
): string[] {
  const { baseUrl, dataDir } = settings;
  const demo = settings.databaseUrl === undefined ? readDemo(dataDir) : undefined;
  return [
    '',
    `  Console          ${baseUrl}/console/`,
    `  API              ${baseUrl}`,
    `  Documentation    ${baseUrl}/docs/`,
    `  API reference    ${baseUrl}/docs/api`,
    ...(temporalUiUrl === undefined ? [] : [`  Temporal Web UI  ${temporalUiUrl}`]),
    `  Metrics          http://127.0.0.1:${metricsPort}/metrics`,
    `  Data             ${dataDir}`,
    ...(demo === undefined ? [] : describeDemo(settings, demo.testApiKey)),
    ...describeWithheld(settings),
    '',
    'ready',
  ];
}

function describeDemo({ baseUrl, dataDir }: StartSettings, testApiKey: string): string[] {
  return [
    `  Demo keys        ${join(dataDir, 'demo.json')}`,
    '',
    '  Send a first message (a test key: it goes to the simulator, never to a gateway):',
    '',
    `  curl -sS ${baseUrl}/api/v1/messages -H 'X-API-Key: ${testApiKey}' -H 'Content-Type: application/json' ` +
      `-d '{"to":"0911234567","text":"Selam"}'`,
  ];
}

function describeWithheld({ host, withheld }: StartSettings): string[] {
  if (withheld.length === 0) return [];
  return [
    '',
    `  HOST is ${host}, where others may reach the API, so these features are off. To switch one on, set its variable:`,
    '',
    ...withheld.map((name) => {
      const { value, allows } = demoComforts[name];
      return `  ${`${name}=${value}`.padEnd(43)}${allows}`;
    }),
  ];
}
