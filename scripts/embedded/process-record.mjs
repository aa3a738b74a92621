// Who holds a lock and who was started by an earlier run. Plain JavaScript with built-ins only, because
// scripts/run.mjs needs it under the machine's own Node, before anything is installed.
//
// A pid alone says little: after a crash the same number soon belongs to another process, in a container
// nearly at once. A record therefore names the pid together with the time its process started.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The record of a running process: its pid and the moment it started, or undefined when no such process runs.
 * A zombie has ended, so it counts as not running.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function describeProcess(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  try {
    if (process.platform === 'linux') {
      // proc(5): the command in parentheses may hold spaces, so fields are counted after the last one.
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      const [state, startTicks] = [fields[0], fields[19]];
      if (state === 'Z' || state === 'X') return undefined;
      return `${pid} ${startTicks} ${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}`;
    }
    const environment = { ...process.env, LC_ALL: 'C' };
    return `${pid} ${execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env: environment, encoding: 'utf8' }).trim()}`;
  } catch {
    return undefined;
  }
}

/**
 * The pid a record file names, if that very process still runs.
 * @param {string} file
 * @returns {number | undefined}
 */
export function findRecordedProcess(file) {
  const record = readIfPresent(file);
  const pid = Number.parseInt(record, 10);
  return pid > 0 && describeProcess(pid) === record ? pid : undefined;
}

/**
 * Writes the record of a running process; readable by its owner only.
 * @param {string} file
 * @param {number} pid
 */
export function recordProcess(file, pid) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, describeProcess(pid) ?? '', { mode: 0o600 });
}

/**
 * Takes a lock for this process without waiting. The lock of a process that has ended is taken over.
 * @param {string} file
 * @returns {number | undefined} the pid of the living holder, or undefined when the lock is now ours
 */
export function takeLock(file) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  // Written aside and then linked, so that no one ever reads a lock file that is still empty.
  writeFileSync(own, describeProcess(process.pid) ?? '', { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, file);
        return undefined;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = findRecordedProcess(file);
      if (holder !== undefined) return holder === process.pid ? undefined : holder;
      discardStaleLock(file);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Gives a lock back, if it is ours. */
export function releaseLock(file) {
  if (findRecordedProcess(file) === process.pid) rmSync(file, { force: true });
}

// Two may find the same stale lock. Renaming lets only one of them remove it; the other might have moved away
// the first one's fresh lock, sees that its holder lives, and puts it back.
function discardStaleLock(file) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    if (findRecordedProcess(aside) !== undefined) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readIfPresent(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
