// node scripts/doctor.ts: checks what the service needs, and prints one line of JSON for each check. `sms doctor` runs
// it and adds what a caller sees. The variables are those of the environment. What they leave out is taken from the
// data of `npm start`, if there are any.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnose, type Finding } from '../src/operations/diagnose.ts';
import type { Environment } from '../src/config.ts';
import { readDemo } from './embedded/demo.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

const dataDir = resolve(root, given['DATA_DIR'] ?? '.data');
const embedded = embeddedEnvironment(dataDir);

if (embedded === undefined && given['DATABASE_URL'] === undefined) {
  const detail = `Neither DATABASE_URL is set nor has \`npm start\` run in ${dataDir}: only the service itself is checked.`;
  print({ check: 'configuration', outcome: 'skipped', detail });
} else {
  for await (const finding of diagnose({ ...embedded, ...given })) print(finding);
}
// A connection that got no answer would keep the process alive.
process.exit();

function print(finding: Finding): void {
  process.stdout.write(`${JSON.stringify(finding)}\n`);
}

/**
 * The variables with which `npm start` runs the service from a directory, as far as the checks need them. Undefined if
 * it never has.
 */
function embeddedEnvironment(directory: string): Environment | undefined {
  const demo = readDemo(directory);
  if (demo === undefined) return undefined;
  const { simulator } = JSON.parse(readFileSync(join(directory, 'ports.json'), 'utf8')) as {
    simulator: number;
  };
  const simulatorUrl = `http://127.0.0.1:${simulator}/cgi-bin/sendsms`;
  return {
    BASE_URL: demo.baseUrl,
    DATABASE_URL: demo.databaseUrl,
    TEMPORAL_ADDRESS: demo.temporalAddress,
    GATEWAY_URL: simulatorUrl,
    SIMULATOR_URL: simulatorUrl,
    GATEWAY_TOKEN: demo.gatewayToken,
    AUTH_SECRET: readSecret(join(directory, 'auth-secret')),
    SECURITY_CODE_PEPPER: readSecret(join(directory, 'security-code-pepper')),
  };
}

/** A secret that `npm start` has made; undefined if the operator supplies it. */
function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
