import { sql } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import { notFound } from '../errors.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import { hashCode } from './code.ts';
import { statusOfClosedCode, type CodeStatus, type VerificationStatus } from './code-status.ts';

/** The body of POST /api/v1/security-codes/verify, already held against openapi.yaml. */
export interface VerificationInput {
  verificationId: string;
  code: string;
  organizationId?: string;
}

export interface VerificationRecord {
  verificationId: string;
  valid: boolean;
  status: VerificationStatus;
  /** Guesses that this code still takes. */
  attemptsRemaining: number;
}

/**
 * Makes the use case of POST /api/v1/security-codes/verify. It needs the database alone: whether a code has
 * expired is judged by the clock, not by what its workflow has written.
 *
 * Errors: not_found, alike for what does not exist and what is another organization's or environment's.
 */
export function createVerifySecurityCode(dependencies: {
  database: Database;
  pepper: string;
  completeCodeDispatches: (dispatchIds: string[]) => void;
  now: () => Date;
}): (principal: Principal, input: VerificationInput) => Promise<VerificationRecord> {
  const { database, pepper, completeCodeDispatches, now } = dependencies;

  return async (principal, input) => {
    if (!validate(input.verificationId)) throw notFound();
    const verificationId = input.verificationId.toLowerCase();
    const hash = hashCode(pepper, verificationId, input.code);
    const scope = { ...principal, id: verificationId };
    const guess = await asTenants(
      database,
      [principal.organizationId],
      async (db) => (await countGuess(db, scope, hash, now())) ?? (await readClosedCode(db, scope)),
    );
    if (!guess) throw notFound();
    if (guess.isFinal && guess.dispatchId) completeCodeDispatches([guess.dispatchId]);
    const { status, attemptsRemaining } = guess;
    return { verificationId, valid: status === 'verified', status, attemptsRemaining };
  };
}

interface Guess {
  status: VerificationStatus;
  attemptsRemaining: number;
  /** Whether this very guess ended the code. */
  isFinal: boolean;
  dispatchId: string | null;
}

type Scope = Pick<Principal, 'organizationId' | 'sees'> & { id: string };

/**
 * Judges and counts a guess by one guarded statement. Guesses that come at once wait for each other's row,
 * and each finds the count that the one before it left, so no more are taken than the code allows. What is
 * compared are HMACs: the time it takes tells nothing of the code.
 *
 * @returns null when the code takes no guesses, or is not the caller's
 */
async function countGuess(db: Sql, scope: Scope, hash: string, now: Date): Promise<Guess | null> {
  const { rows } = await sql<{
    status: CodeStatus;
    attempts: number;
    maxAttempts: number;
    dispatchId: string | null;
  }>`
    update security_codes set
      attempts = attempts + case when code_hash = decode(${hash}, 'hex') then 0 else 1 end,
      status = case
        when code_hash = decode(${hash}, 'hex') then 'verified'
        when attempts + 1 >= max_attempts then 'max_attempts_reached'
        else 'pending'
      end,
      verified_at = case when code_hash = decode(${hash}, 'hex') then ${now}::timestamptz end,
      due_at = case
        when code_hash <> decode(${hash}, 'hex') and attempts + 1 < max_attempts then due_at
      end
    where id = ${scope.id} and organization_id = ${scope.organizationId}
      and environment = any(${[...scope.sees]}::text[]) and status = 'pending' and expires_at > ${now}
    returning status, attempts, max_attempts as "maxAttempts", dispatch_id as "dispatchId"
  `.execute(db);
  const row = rows[0];
  if (!row) return null;
  const isVerified = row.status === 'verified';
  return {
    status: isVerified ? 'verified' : 'incorrect',
    attemptsRemaining: isVerified ? 0 : row.maxAttempts - row.attempts,
    isFinal: row.status !== 'pending',
    dispatchId: row.dispatchId,
  };
}

async function readClosedCode(db: Sql, scope: Scope): Promise<Guess | null> {
  const { rows } = await sql<{ status: CodeStatus }>`
    select status from security_codes
    where id = ${scope.id} and organization_id = ${scope.organizationId}
      and environment = any(${[...scope.sees]}::text[])
  `.execute(db);
  const row = rows[0];
  if (!row) return null;
  return { status: statusOfClosedCode(row.status), attemptsRemaining: 0, isFinal: false, dispatchId: null };
}
