import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './errors.ts';

/**
 * Returns a random secret that is generated once and kept in `file`, readable only by its owner.
 *
 * @returns 192 bits as 32 characters of base64url
 */
export function keepSecret(file: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
  try {
    // Linked, not renamed: a second process must not replace a secret that is in use.
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}
