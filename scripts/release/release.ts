/**
 * npm run release -- VERSION: makes a release of the committed tree. Sets the version, moves the entries of the
 * changelog, keeps the contract in releases/VERSION/, commits and tags. Refuses a version that is not higher than the
 * last one, a tree with changes, and a contract that breaks clients of the last release if the version may not
 * (`docs/releases.md`). It does not push.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleContract } from '../../src/http/contract/bundle-contract.ts';
import { messageOf } from '../embedded/errors.ts';
import { moveUnreleased, setVersion, writeReleasedContract } from './change-files.ts';
import { findForbiddenChanges } from './check-compatibility.ts';
import { compareVersions, readLastRelease, readVersion } from './versions.ts';

const root = new URL('../../', import.meta.url);

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: fileURLToPath(root), encoding: 'utf8' });
}

async function release(version: string): Promise<void> {
  readVersion(version);
  if (git('status', '--porcelain') !== '') throw new Error('The tree has changes. Commit them first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists.`);
  const last = readLastRelease(root)?.version;
  if (last !== undefined && compareVersions(version, last) <= 0) {
    throw new Error(`${version} must be higher than ${last}, the last release.`);
  }
  const changes = await findForbiddenChanges(version);
  if (changes.length > 0) {
    throw new Error(`${version} must not break clients of ${last}:\n${changes.join('\n')}`);
  }
  moveUnreleased(root, version, new Date().toISOString().slice(0, 10));
  setVersion(root, version);
  writeReleasedContract(root, version, bundleContract());
  git('add', '--all');
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', '--message', `Release ${version}`, `v${version}`);
}

const [version = ''] = process.argv.slice(2);
try {
  await release(version);
  process.stdout.write(`Released ${version}. Publish it with: git push --follow-tags\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
