import type { Schemas } from '../http/contract/contract-types.ts';
import type { Redrive } from './redrive.entity.ts';

export type RedriveRecord = Schemas['Redrive'];

/** Returns the filter of a redrive, as its record and its audit event show it. */
export function filterOf(redrive: Redrive): RedriveRecord['filter'] {
  const { createdFrom, createdTo, organizationId, errorCode, environment } = redrive;
  return {
    from: createdFrom.toISOString(),
    to: createdTo.toISOString(),
    organizationId,
    errorCode,
    environment,
  };
}

const failure = {
  code: 'processing_failed',
  message:
    'The service cannot process this redrive because of a permanent error; its log has the cause. Items redriven earlier stay redriven.',
} as const;

export function toRedriveRecord(redrive: Redrive): RedriveRecord {
  const { id, kind, status, matched, redriven, skipped, requestedBy } = redrive;
  return {
    id,
    kind,
    status,
    failure: status === 'failed' ? failure : null,
    filter: filterOf(redrive),
    limit: redrive.maxRedriven,
    matched,
    redriven,
    skipped,
    requestedBy,
    createdAt: redrive.createdAt.toISOString(),
    startedAt: redrive.startedAt?.toISOString() ?? null,
    endedAt: redrive.endedAt?.toISOString() ?? null,
  };
}
