import type { Schemas } from '../http/contract/contract-types.ts';
import type { Erasure, WaitingFor } from './erasure.entity.ts';

/** An erasure as the API returns it. */
export type ErasureRecord = Schemas['Erasure'];

export function toErasureRecord(erasure: Erasure): ErasureRecord {
  return {
    id: erasure.id,
    organizationId: erasure.organization.id,
    status: erasure.status,
    numberHash: Buffer.from(erasure.numberHash).toString('hex'),
    waitingFor: erasure.waitingFor as WaitingFor | null,
    erased: erasure.erased,
    createdAt: erasure.createdAt.toISOString(),
    completedAt: erasure.completedAt?.toISOString() ?? null,
  };
}
