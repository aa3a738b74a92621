// Records which process holds a lock and which processes an earlier run started. This is plain JavaScript with only
// built-in modules, because scripts/run.mjs runs it with the machine's own Node, before anything is installed.
//
// A pid alone is not sufficient: after a crash the same number soon belongs to another process, in a container almost
// immediately. A record therefore contains the pid and the start time of its process.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Returns the record of a running process: its pid and its start time, or undefined if the process does not run.
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
      // proc(5): the command in parentheses may contain spaces, so fields are counted after the last parenthesis.
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
 * Returns the pid in a record file, if the recorded process still runs.
 * @param {string} file
 * @returns {number | undefined}
 */
export function findRecordedProcess(file) {
  const record = readIfPresent(file);
  const pid = Number.parseInt(record, 10);
  return pid > 0 && describeProcess(pid) === record ? pid : undefined;
}

/**
 * Writes the record of a running process, readable only by its owner.
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
  // Written under another name and then linked, so that no process reads an empty lock file.
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

/** Releases a lock, if this process holds it. */
export function releaseLock(file) {
  if (findRecordedProcess(file) === process.pid) rmSync(file, { force: true });
}

// Two processes may find the same stale lock. With a rename, only one of them can remove it. The second process may
// instead move the new lock of the first; it then sees that the holder is alive, and puts the lock back.
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
