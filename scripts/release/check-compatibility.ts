/**
 * npm run check:contract: compares the contract with that of the last release. Fails on a change that breaks its clients,
 * unless the version in package.json is one that may (`docs/releases.md`).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleContract } from '../../src/http/contract/bundle-contract.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';
import { findOasdiff } from './find-oasdiff.ts';
import { mayBreak, readLastRelease } from './versions.ts';

const root = new URL('../../', import.meta.url);

/**
 * Why the contract may not be released as a version: its breaking changes. Empty if there are none, or the version
 * allows them.
 */
export async function findForbiddenChanges(version: string): Promise<string[]> {
  const last = readLastRelease(root);
  if (last === undefined || mayBreak(last.version, version)) return [];
  const oasdiff = await findOasdiff({
    cacheDir: fileURLToPath(new URL('.cache/', root)),
    progress: (line) => void process.stderr.write(`${line}\n`),
  });
  const changes = await findBreakingChanges(oasdiff, last.contract, bundleContract());
  return changes.map((change) => `${change} (since ${last.version})`);
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  const changes = await findForbiddenChanges(version);
  for (const change of changes) process.stderr.write(`${change}\n`);
  if (changes.length > 0) {
    process.stderr.write(
      `Version ${version} must not break clients of the last release: see docs/releases.md.\n`,
    );
    process.exit(1);
  }
}
