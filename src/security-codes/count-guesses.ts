import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import type { Environment } from '../principal.ts';
import { recordset } from '../recordset.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { judgeGuess, type GuessedCode, type VerificationStatus } from './code-status.ts';

export interface Guess {
  verificationId: string;
  organizationId: string;
  visibleEnvironments: readonly Environment[];
  /** The hashes that the code may have if the guess is correct: one for each pepper, as hexadecimal digits. */
  hashes: readonly string[];
  at: Date;
}

export interface CountedGuess {
  status: VerificationStatus;
  attemptsRemaining: number;
  /** The dispatch that this guess completes, because the code accepts no more guesses; otherwise null. */
  completedDispatchId: string | null;
}

/** A code as it is stored. */
interface LockedCode extends GuessedCode {
  id: string;
  organizationId: string;
  environment: Environment;
  hash: string;
  dispatchId: string | null;
}

/** A locked code with what the guesses have changed of it. */
interface ChangingCode extends LockedCode {
  verifiedAt: Date | null;
  isChanged: boolean;
}

/**
 * Checks and counts guesses in the transaction of the caller, with two statements for any number of them. The codes are
 * locked until the caller commits. Concurrent guesses at a code therefore see the count that the previous one wrote,
 * and a code never accepts more guesses than it allows. Hashes are compared, so the duration reveals nothing about a
 * code.
 *
 * @returns for each guess, in order, its result; null if there is no such code, or it is not visible to the caller
 */
export async function countGuesses(db: Sql, guesses: Guess[]): Promise<(CountedGuess | null)[]> {
  const codes = await lockCodes(
    db,
    guesses.map(({ verificationId }) => verificationId),
  );
  const results = guesses.map((guess) => {
    const code = codes.get(guess.verificationId);
    return code && isVisible(code, guess) ? countGuess(code, guess) : null;
  });
  const changed = [...codes.values()].filter(({ isChanged }) => isChanged);
  if (changed.length > 0) await storeGuesses(db, changed);
  return results;
}

/** The same ids are locked in the same order by every transaction, so that two of them cannot deadlock. */
async function lockCodes(db: Sql, ids: string[]): Promise<Map<string, ChangingCode>> {
  const { rows } = await sql<Stored<LockedCode>>`${prepared('lock_security_codes')}
    select id, organization_id as "organizationId", environment, status, attempts, max_attempts as "maxAttempts",
      expires_at as "expiresAt", dispatch_id as "dispatchId", encode(code_hash, 'hex') as hash
    from security_codes where id = any(${[...new Set(ids)]}::uuid[])
    order by id for no key update
  `.execute(db);
  return new Map(
    rows.map((code) => [
      code.id,
      { ...code, expiresAt: toDate(code.expiresAt), verifiedAt: null, isChanged: false },
    ]),
  );
}

function isVisible(code: LockedCode, { organizationId, visibleEnvironments }: Guess): boolean {
  return code.organizationId === organizationId && visibleEnvironments.includes(code.environment);
}

/** Applies a guess to the locked code, so that the next guess in the list sees it. */
function countGuess(code: ChangingCode, { hashes, at }: Guess): CountedGuess {
  const { status, attemptsRemaining, changed } = judgeGuess(code, hashes.includes(code.hash), at);
  if (changed) {
    Object.assign(code, changed, { isChanged: true }, changed.status === 'verified' && { verifiedAt: at });
  }
  const isCompleted = changed !== null && changed.status !== 'pending';
  return { status, attemptsRemaining, completedDispatchId: isCompleted ? code.dispatchId : null };
}

async function storeGuesses(db: Sql, codes: ChangingCode[]): Promise<void> {
  const changes = codes.map(({ id, status, attempts, verifiedAt }) => ({ id, status, attempts, verifiedAt }));
  await sql`${prepared('store_guesses')}
    update security_codes set
      status = change.status, attempts = change.attempts, verified_at = change."verifiedAt",
      due_at = case when change.status = 'pending' then security_codes.due_at end
    from ${recordset(changes, 'change', {
      id: 'uuid',
      status: 'text',
      attempts: 'smallint',
      verifiedAt: 'timestamptz',
    })}
    where security_codes.id = change.id and security_codes.status = 'pending'
  `.execute(db);
}
