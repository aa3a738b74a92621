/**
 * npm run check:licences: fails if a package of the lock has a licence that is not in the list below. What is not
 * installed on this machine, because it is for another one, is checked where the lock names its licence.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** Licences under which a package may be used and passed on with the images, by their SPDX ids. */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Unlicense', 'CC0-1.0', 'Python-2.0', 'PSF-2.0'],
  // For files, not for what uses them: fonts, data, and code that is not changed here.
  ...['OFL-1.1', 'CC-BY-4.0', 'MPL-2.0', 'EPL-2.0'],
]);

/** Packages whose package.json names no licence, with the one of their files. */
const readByHand: Record<string, string> = { unionfs: 'Unlicense' };

interface LockedPackage {
  license?: unknown;
  optional?: boolean;
  link?: boolean;
}

/** Whether an SPDX expression allows the use: one side of OR is enough, AND needs both. */
export function isAllowedLicence(expression: string): boolean {
  const plain = expression.replace(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence.trim())));
}

/** The packages whose licence is unknown or not allowed, with that licence. */
export function findRefused(
  packages: Record<string, LockedPackage>,
  readInstalled: (path: string) => string | undefined,
): string[] {
  const refused: string[] = [];
  for (const [path, { license, optional, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || link) continue;
    const name = path.split('node_modules/').at(-1)!;
    const licence = typeof license === 'string' ? license : (readInstalled(path) ?? readByHand[name]);
    if (licence === undefined && optional) continue;
    if (licence === undefined || !isAllowedLicence(licence)) refused.push(`${name}: ${licence ?? 'unknown'}`);
  }
  return refused;
}

function main(): void {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const refused = findRefused(packages, (path) => {
    const manifest = join(root, path, 'package.json');
    if (!existsSync(manifest)) return undefined;
    const { license, licenses } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      license?: string | { type: string };
      licenses?: { type: string }[];
    };
    return typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type);
  });
  for (const line of refused) process.stderr.write(`${line}\n`);
  if (refused.length > 0) {
    process.stderr.write(
      'Read these licences, and add them to scripts/check-licences.ts if they may be used.\n',
    );
    process.exit(1);
  }
  process.stdout.write(`The licences of ${Object.keys(packages).length} packages are allowed.\n`);
}

if (import.meta.main) main();
