import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The names of all files that `npm start` keeps in DATA_DIR. Drafts and locks have a suffix after a dot. */
const ownNames = new Set([
  ...['demo.json', 'ports.json', 'start.lock'],
  ...['gateway-token', 'auth-secret', 'security-code-pepper'],
  ...['processes', 'temporal', 'postgres'],
]);

/**
 * Removes the permissions of group and others from the files of `npm start`, which older versions or a copy may have
 * left. If the directory contains other files, only our own files are closed: it may be a home directory, or /tmp.
 */
export function closeDataDirectory(dataDir: string): void {
  const names = readdirSync(dataDir);
  const own = names.filter(isOwn);
  if (own.length === names.length) close(dataDir);
  for (const name of own) closeTree(join(dataDir, name));
}

/** Whether a file in DATA_DIR belongs to `npm start`. */
export function isOwn(name: string): boolean {
  return [...ownNames].some((own) => name === own || name.startsWith(`${own}.`));
}

function closeTree(path: string): void {
  if (!close(path)) return;
  for (const name of readdirSync(path)) {
    // PostgreSQL sets the modes of its own files, and refuses to start if they are less strict.
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
