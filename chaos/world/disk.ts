import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small disk of its own for PostgreSQL, which a fault can fill. */
export interface SmallDisk {
  directory: string;
  /** Leaves not a byte. */
  fill: () => void;
  empty: () => void;
  unmount: () => void;
}

/** Room for the database of a run of some minutes. */
const sizeMiB = 768;
const chunk = Buffer.alloc(1024 * 1024);

/**
 * Mounts a disk in memory.
 *
 * @returns undefined where this user may not mount
 */
export function mountSmallDisk(directory: string): SmallDisk | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const options = `size=${sizeMiB}m,mode=0700`;
  if (
    process.platform !== 'linux' ||
    run('mount', ['-t', 'tmpfs', '-o', options, 'chaos', directory]) !== 0
  ) {
    return undefined;
  }
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill: () => {
      const file = openSync(ballast, 'a', 0o600);
      // Ever smaller pieces: the last pages are few.
      for (const bytes of [chunk.length, 65_536, 4096]) writeUntilFull(file, chunk.subarray(0, bytes));
      closeSync(file);
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount: () => void run('umount', [directory]),
  };
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function run(command: string, commandArguments: string[]): number | null {
  return spawnSync(command, commandArguments, { stdio: 'ignore' }).status;
}
