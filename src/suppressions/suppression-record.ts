import type { Schemas } from '../http/contract/contract-types.ts';

/** A suppression as the API returns it. */
export type SuppressionRecord = Schemas['Suppression'];

export function toSuppressionRecord(
  row: Omit<SuppressionRecord, 'createdAt'> & { createdAt: Date },
): SuppressionRecord {
  const { id, organizationId, phoneNumber, reason, source, createdAt } = row;
  return { id, organizationId, phoneNumber, reason, source, createdAt: createdAt.toISOString() };
}
