/**
 * How long an import keeps the rows that it did not import, after its end: they are personal data without other use.
 */
export const rejectsRetentionDays = 30;

const dayMs = 86_400_000;

/** When the rows that an import did not import are deleted; null while it is reading, and if it imported all rows. */
export function rejectsExpireAt(found: {
  completedAt: Date | null;
  skipped: number;
  rejected: number;
}): Date | null {
  const { completedAt, skipped, rejected } = found;
  if (completedAt === null || skipped + rejected === 0) return null;
  return new Date(completedAt.getTime() + rejectsRetentionDays * dayMs);
}
