import { validate } from 'uuid';
import { isDatabaseUnreachable, type Database } from '../database.ts';
import { createBatcher, type Gathering } from '../dispatches/natural-batching.ts';
import { notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import type { Principal } from '../principal.ts';
import { hashCode } from './code.ts';
import { countGuesses, type CountedGuess, type Guess } from './count-guesses.ts';

export type VerificationRecord = Schemas['VerificationResult'];

/** The maximum number of guesses that one transaction counts. */
const countedAtOnce = 100;

/**
 * Creates the function that handles POST /api/v1/security-codes/verify. It needs only the database: whether a code has
 * expired is decided by the clock, not by the status that its workflow writes. Concurrent guesses are committed
 * together.
 *
 * Errors: not_found, both for an unknown id and for a code of another organization or environment.
 */
export function createVerifySecurityCode(dependencies: {
  database: Database;
  pepper: string;
  previousPepper: string | undefined;
  gathering: Gathering;
  completeCodeDispatches: (dispatchIds: string[]) => void;
  now: () => Date;
}): (principal: Principal, input: Schemas['VerificationInput']) => Promise<VerificationRecord> {
  const { database, pepper, previousPepper, gathering, completeCodeDispatches, now } = dependencies;
  const count = createBatcher<Guess, CountedGuess | null>({
    run: async (guesses) => {
      const organizationIds = guesses.map(({ organizationId }) => organizationId);
      const counted = await asTenants(database, organizationIds, (db) => countGuesses(db, guesses));
      const completed = counted.flatMap((guess) => guess?.completedDispatchId ?? []);
      if (completed.length > 0) completeCodeDispatches([...new Set(completed)]);
      return counted;
    },
    maxItems: countedAtOnce,
    gathering,
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async ({ organizationId, visibleEnvironments }, input) => {
    if (!validate(input.verificationId)) throw notFound();
    const verificationId = input.verificationId.toLowerCase();
    const hashes = [pepper, previousPepper ?? []]
      .flat()
      .map((key) => hashCode(key, verificationId, input.code));
    const guess = await count({ verificationId, organizationId, visibleEnvironments, hashes, at: now() });
    if (!guess) throw notFound();
    const { status, attemptsRemaining } = guess;
    return { verificationId, valid: status === 'verified', status, attemptsRemaining };
  };
}
