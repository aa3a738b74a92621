import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const demoFile = z.looseObject({
  baseUrl: z.string(),
  temporalAddress: z.string(),
  databaseUrl: z.string(),
  gatewayToken: z.string(),
  testApiKey: z.string(),
});

export type Demo = z.output<typeof demoFile>;

/** The demo organization from the file that scripts/seed-demo.ts wrote, if it exists. */
export function readDemo(dataDir: string): Demo | undefined {
  try {
    return demoFile.parse(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Updates the addresses in demo.json that have changed since it was written: another PORT, or a port in use.
 *
 * @param metricsUrls the URL of /metrics of each process, by the name of the process
 */
export function refreshDemo(
  dataDir: string,
  environment: Record<string, string | undefined>,
  metricsUrls: Record<string, string>,
): void {
  const demo = readDemo(dataDir);
  if (demo === undefined) return;
  const current = {
    baseUrl: environment.BASE_URL ?? demo.baseUrl,
    temporalAddress: environment.TEMPORAL_ADDRESS ?? demo.temporalAddress,
    databaseUrl: environment.DATABASE_URL ?? demo.databaseUrl,
    gatewayToken: environment.GATEWAY_TOKEN ?? demo.gatewayToken,
    metricsUrls,
  };
  const file = join(dataDir, 'demo.json');
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...demo, ...current }, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
