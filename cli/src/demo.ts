import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError } from './errors.ts';

/** What `npm start` writes down about its demo organization, as far as a caller needs it. */
export interface Demo {
  baseUrl: string;
  organizationId: string;
  testApiKey: string;
  ownerEmail: string;
  ownerPassword: string;
}

/**
 * Reads the demo of `npm start`.
 *
 * @throws CliError if it does not exist
 */
export function readDemo(environment: NodeJS.ProcessEnv): Demo {
  const file = join(resolve(environment['DATA_DIR'] || '.data'), 'demo.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo;
  } catch {
    throw new CliError(
      'usage',
      'no_demo',
      `${file} cannot be read. Run \`npm start\` first, and this command in the same directory and with the same ` +
        'DATA_DIR, if you set one.',
    );
  }
}
