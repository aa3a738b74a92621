import { UsageError } from './errors.ts';

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads a time: ISO 8601, or how long ago it was (`30s`, `15m`, `2h`, `3d`). Returns it in ISO 8601, in UTC.
 *
 * @throws UsageError for anything else
 */
export function readTime(name: string, given: string, now: Date = new Date()): string {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(given) ?? [];
  const at =
    unit === undefined
      ? new Date(/^\d{4}-\d\d-\d\d/.test(given) ? given : Number.NaN)
      : new Date(now.getTime() - Number(count) * unitSeconds[unit]! * 1000);
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(
      `${name} must be a time such as 2026-11-20T08:00:00Z, or 30s, 15m, 2h, 3d ago; not ${given}.`,
    );
  }
  return at.toISOString();
}
