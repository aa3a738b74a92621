import type { Schemas } from '../http/contract/contract-types.ts';

/** The statuses of a stored code. All except pending are final. */
export const codeStatuses = ['pending', 'verified', 'max_attempts_reached', 'expired', 'superseded'] as const;

export type CodeStatus = (typeof codeStatuses)[number];

/** The possible results of a verification. */
export type VerificationStatus = Schemas['VerificationResult']['status'];

/**
 * Returns the result for a guess that was not counted, because its code accepts no more guesses. A code that is still
 * pending here has expired, and the new status is not recorded yet.
 */
export function statusOfClosedCode(status: CodeStatus): VerificationStatus {
  switch (status) {
    case 'verified':
      return 'already_used';
    case 'pending':
      return 'expired';
    default:
      return status;
  }
}
