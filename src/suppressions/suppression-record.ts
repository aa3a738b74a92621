import type { SuppressionSource } from './suppression.entity.ts';

/** A suppression as the API returns it. */
export interface SuppressionRecord {
  id: string;
  organizationId: string;
  /** E.164. */
  phoneNumber: string;
  reason: string | null;
  source: SuppressionSource;
  createdAt: string;
}

export function toSuppressionRecord(
  row: Omit<SuppressionRecord, 'createdAt'> & { createdAt: Date },
): SuppressionRecord {
  const { id, organizationId, phoneNumber, reason, source, createdAt } = row;
  return { id, organizationId, phoneNumber, reason, source, createdAt: createdAt.toISOString() };
}
