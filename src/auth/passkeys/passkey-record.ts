import type { Schemas } from '../../http/contract/contract-types.ts';
import type { Passkey } from './passkey.entity.ts';

/** The record of openapi.yaml. Key and counter are of no use to anybody but the service. */
export function toPasskeyRecord({ id, name, backedUp, createdAt }: Passkey): Schemas['Passkey'] {
  return { id, name, isSynced: backedUp, createdAt: createdAt.toISOString() };
}
