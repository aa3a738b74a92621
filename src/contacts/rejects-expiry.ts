/** For so long after its end an import keeps the rows that it did not take: they are personal data of no other use. */
export const rejectsRetentionDays = 30;

const dayMs = 86_400_000;

/** When the rows that an import did not take are gone; null as long as it reads, and where it took all. */
export function rejectsExpireAt(found: {
  completedAt: Date | null;
  skipped: number;
  rejected: number;
}): Date | null {
  const { completedAt, skipped, rejected } = found;
  if (completedAt === null || skipped + rejected === 0) return null;
  return new Date(completedAt.getTime() + rejectsRetentionDays * dayMs);
}
