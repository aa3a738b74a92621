import type { Output } from './output.ts';

/** Shows how far something is. */
export interface Progress {
  /** Shows the current state: how many of how many, if that is known, and what is counted. */
  show: (state: { done: number; total: number | undefined; label: string }) => void;
  /** Leaves the last state on the screen. */
  end: () => void;
}

const barWidth = 30;

/**
 * Creates a progress that rewrites one line of a terminal. Elsewhere, for example in the log of a job, it writes a
 * line whenever the state has changed. With --json it shows nothing.
 */
export function createProgress(output: Output): Progress {
  let last = '';
  return {
    show: ({ done, total, label }) => {
      if (output.isJson) return;
      const counted = total === undefined ? label : `${bar(done, total)} ${percent(done, total)} ${label}`;
      if (counted === last) return;
      last = counted;
      if (output.isInteractive) output.rewrite(counted);
      else output.note(counted);
    },
    end: () => {
      if (last !== '' && output.isInteractive) output.note('');
    },
  };
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? barWidth : Math.min(barWidth, Math.floor((done / total) * barWidth));
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
}

function percent(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  return `${Math.floor(share * 100)} %`.padStart(5);
}
