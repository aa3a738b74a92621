/** The result of one check. */
export interface Finding {
  /** A stable word. */
  check: string;
  outcome: 'ok' | 'failed' | 'skipped';
  /** What was found, and for a failure what to do. */
  detail: string;
}

/** Says what the checks mean together. What was skipped may not work. */
export function conclude(checks: readonly Finding[]): string {
  const count = (outcome: Finding['outcome']): number =>
    checks.filter((finding) => finding.outcome === outcome).length;
  if (count('failed') > 0) return `${count('failed')} of ${checks.length} checks failed.`;
  if (count('skipped') === 0) return 'Everything works.';
  return `What was checked works. ${count('skipped')} of ${checks.length} checks were skipped.`;
}
