/** Where a stored code stands; all but pending are final. */
export const codeStatuses = ['pending', 'verified', 'max_attempts_reached', 'expired', 'superseded'] as const;

export type CodeStatus = (typeof codeStatuses)[number];

/** What a guess is answered (contract section 5). */
export type VerificationStatus =
  'verified' | 'incorrect' | 'expired' | 'max_attempts_reached' | 'already_used' | 'superseded';

/**
 * What is answered to a guess that was not counted, for its code no longer takes any: one that is pending can
 * only be past its end, which nobody may have written down yet.
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
