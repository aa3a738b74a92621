import { findPgBouncer } from '../../scripts/cluster/pgbouncer.ts';

/** `describe` for tests that need PgBouncer. Without it they are skipped, and the run shows why. */
export function describeWithPgBouncer(name: string, define: () => void): void {
  if (findPgBouncer() !== undefined) return describe(name, define);
  console.warn(`Skipped, because PgBouncer is not installed (Debian: pgbouncer): ${name}`);
  describe.skip(name, define);
}
