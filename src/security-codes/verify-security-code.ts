import { sql } from 'kysely';
import { validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database, Sql } from '../database.ts';
import { notFound } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { hashCode } from './code.ts';
import { statusOfClosedCode, type CodeStatus, type VerificationStatus } from './code-status.ts';
import { SecurityCode } from './security-code.entity.ts';

export type VerificationRecord = Schemas['VerificationResult'];

/**
 * Creates the function that handles POST /api/v1/security-codes/verify. It needs only the database: whether a code has
 * expired is decided by the clock, not by the status that its workflow writes.
 *
 * Errors: not_found, both for an unknown id and for a code of another organization or environment.
 */
export function createVerifySecurityCode(dependencies: {
  database: Database;
  pepper: string;
  completeCodeDispatches: (dispatchIds: string[]) => void;
  now: () => Date;
}): (principal: Principal, input: Schemas['VerificationInput']) => Promise<VerificationRecord> {
  const { database, pepper, completeCodeDispatches, now } = dependencies;

  return async (principal, input) => {
    if (!validate(input.verificationId)) throw notFound();
    const verificationId = input.verificationId.toLowerCase();
    const hash = hashCode(pepper, verificationId, input.code);
    const scope = { ...principal, id: verificationId };
    const guess = await asTenant(
      database,
      principal,
      async (em) =>
        (await countGuess(em.getKysely(), scope, hash, now())) ?? (await readClosedCode(em, verificationId)),
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
  /** Whether this guess ended the code. */
  isFinal: boolean;
  dispatchId: string | null;
}

type Scope = Pick<Principal, 'organizationId' | 'visibleEnvironments'> & { id: string };

/**
 * Checks and counts a guess in one guarded statement. Concurrent guesses wait for the row lock, and each sees the count
 * that the previous one wrote, so the code never accepts more guesses than it allows. The statement compares HMACs, so
 * its duration reveals nothing about the code.
 *
 * @returns null if the code accepts no guesses, or is not the caller's
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
      and environment = any(${[...scope.visibleEnvironments]}::text[]) and status = 'pending' and expires_at > ${now}
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

async function readClosedCode(em: ScopedEntityManager, id: string): Promise<Guess | null> {
  const code = await em.findOne(SecurityCode, { id }, { fields: ['status'] });
  if (!code) return null;
  return { status: statusOfClosedCode(code.status), attemptsRemaining: 0, isFinal: false, dispatchId: null };
}
