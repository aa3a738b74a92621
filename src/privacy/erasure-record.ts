import type { Schemas } from '../http/contract/contract-types.ts';
import type { Erasure, WaitingFor } from './erasure.entity.ts';

/** An erasure as the API returns it. */
export type ErasureRecord = Schemas['Erasure'];

/** An administrator's erasure, which has no organization. */
export type PlatformErasureRecord = Schemas['PlatformErasure'];

export function toErasureRecord(erasure: Erasure): ErasureRecord {
  const { id, ...record } = toPlatformErasureRecord(erasure);
  return { id, organizationId: erasure.organization!.id, ...record };
}

export function toPlatformErasureRecord(erasure: Erasure): PlatformErasureRecord {
  return {
    id: erasure.id,
    status: erasure.status,
    numberHash: Buffer.from(erasure.numberHash).toString('hex'),
    waitingFor: erasure.waitingFor as WaitingFor | null,
    erased: erasure.erased,
    createdAt: erasure.createdAt.toISOString(),
    completedAt: erasure.completedAt?.toISOString() ?? null,
  };
}
