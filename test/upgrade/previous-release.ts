import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface Release {
  commit: string;
  directory: string;
  remove: () => void;
}

/**
 * Checks a release out into a directory of its own, with the installed packages of this version.
 *
 * @param ref a git ref. Default: the latest tag, else the commit before the one that added the last migration
 */
export function checkOutPreviousRelease(
  root: string,
  directory: string,
  ref = findPreviousRelease(root),
): Release {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short', `${ref}^{commit}`);
  git('worktree', 'add', '--quiet', '--detach', directory, commit);
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return { commit, directory, remove: () => git('worktree', 'remove', '--force', directory) };
}

function findPreviousRelease(root: string): string {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^');
  } catch {
    const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'migrations/Migration*.ts');
    return `${added}^`;
  }
}
