import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** All that `npm start` keeps in DATA_DIR; drafts and locks have more behind a dot. */
const ownNames = new Set([
  ...['demo.json', 'ports.json', 'start.lock'],
  ...['gateway-token', 'auth-secret', 'security-code-pepper'],
  ...['processes', 'temporal', 'postgres'],
]);

/**
 * Takes from group and others what they may do with the files of `npm start`, as older versions, or a copy, left them.
 * In a directory that holds anything else only our own files are closed: it may be somebody's home, or /tmp.
 */
export function closeDataDirectory(dataDir: string): void {
  const names = readdirSync(dataDir);
  const own = names.filter(isOwn);
  if (own.length === names.length) close(dataDir);
  for (const name of own) closeTree(join(dataDir, name));
}

/** Whether a file of DATA_DIR is of `npm start`. */
export function isOwn(name: string): boolean {
  return [...ownNames].some((own) => name === own || name.startsWith(`${own}.`));
}

function closeTree(path: string): void {
  if (!close(path)) return;
  for (const name of readdirSync(path)) {
    // PostgreSQL sees to the modes of its own files, and refuses to start with wider ones.
    if (name !== 'cluster') closeTree(join(path, name));
  }
}

/** @returns whether it is a directory of this user */
function close(path: string): boolean {
  const found = lstatSync(path);
  if (found.isSymbolicLink() || found.uid !== process.getuid?.()) return false;
  if ((found.mode & 0o077) !== 0) chmodSync(path, found.mode & 0o700);
  return found.isDirectory();
}
