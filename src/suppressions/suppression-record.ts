/** A suppression as lists and answers show it. */
export interface SuppressionRecord {
  id: string;
  organizationId: string;
  /** E.164. */
  phoneNumber: string;
  reason: string | null;
  createdAt: string;
}

export function toSuppressionRecord(
  row: Omit<SuppressionRecord, 'createdAt'> & { createdAt: Date },
): SuppressionRecord {
  const { id, organizationId, phoneNumber, reason, createdAt } = row;
  return { id, organizationId, phoneNumber, reason, createdAt: createdAt.toISOString() };
}
