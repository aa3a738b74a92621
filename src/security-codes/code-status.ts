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

/** What a guess depends on. */
export interface GuessedCode {
  status: CodeStatus;
  /** The number of wrong guesses. */
  attempts: number;
  maxAttempts: number;
  expiresAt: Date;
}

/** The result of a guess, and the code after it: null if the guess was not counted. */
export interface JudgedGuess {
  status: VerificationStatus;
  attemptsRemaining: number;
  changed: (Pick<GuessedCode, 'attempts'> & { status: Exclude<CodeStatus, 'expired' | 'superseded'> }) | null;
}

/** Decides what a guess at a code results in. A correct guess and the last wrong one close the code. */
export function judgeGuess(code: GuessedCode, isCorrect: boolean, now: Date): JudgedGuess {
  if (code.status !== 'pending' || code.expiresAt <= now) {
    return { status: statusOfClosedCode(code.status), attemptsRemaining: 0, changed: null };
  }
  if (isCorrect) {
    return {
      status: 'verified',
      attemptsRemaining: 0,
      changed: { status: 'verified', attempts: code.attempts },
    };
  }
  const attempts = code.attempts + 1;
  const attemptsRemaining = Math.max(code.maxAttempts - attempts, 0);
  const status = attemptsRemaining === 0 ? 'max_attempts_reached' : 'pending';
  return { status: 'incorrect', attemptsRemaining, changed: { status, attempts } };
}
