import { existsSync, writeFileSync } from 'node:fs';

/** The clock of one process, which a fault can step. Monotonic time is not affected, as with a clock that is corrected. */
export interface Clock {
  /** The variables with which the process is started. */
  environment: Record<string, string>;
  /** Steps the clock to so many seconds from the right time; 0 corrects it. */
  step: (seconds: number) => void;
}

/** Where Debian's package libfaketime has it. */
const libraries = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];

/**
 * @param file from which the process reads the step of its clock
 * @returns undefined where libfaketime is not installed
 */
export function makeClock(file: string): Clock | undefined {
  const library = libraries.find(existsSync);
  if (library === undefined) return undefined;
  const step = (seconds: number): void =>
    writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`, { mode: 0o600 });
  step(0);
  return {
    environment: {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' },
      ...{ DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' },
    },
    step,
  };
}
