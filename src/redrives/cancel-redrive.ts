import { LockMode } from '@mikro-orm/core';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import { toRedriveRecord, type RedriveRecord } from './redrive-record.ts';
import { Redrive } from './redrive.entity.ts';

/**
 * Stops a redrive between two pages. Each page locks the same row while it works, and does nothing after the redrive
 * has ended. So cancelling does not need Temporal, and the returned counts are final.
 *
 * Errors: not_found, invalid_state.
 */
export async function cancelRedrive(
  database: Database,
  administrator: Administrator,
  id: string,
  at: Date,
): Promise<RedriveRecord> {
  const redrive = await database.em.fork().transactional(async (em) => {
    const found = await em.findOne(Redrive, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) throw notFound();
    if (found.endedAt !== null) {
      throw new ApiError(
        'invalid_state',
        `The redrive is already ${found.status}. Only a pending or running redrive can be cancelled.`,
      );
    }
    found.status = 'cancelled';
    found.endedAt = at;
    const { organizationId, matched, redriven } = found;
    recordAuditEvent(
      em,
      { ...administrator, organizationId },
      { action: 'redrive.cancelled', subjectId: id, details: { matched, redriven } },
    );
    return found;
  });
  return toRedriveRecord(redrive);
}
