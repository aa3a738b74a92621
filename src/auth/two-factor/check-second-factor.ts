import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../database.ts';
import { ApiError, errorCatalogue } from '../../errors.ts';
import type { Sealer } from '../../messages/sealer.ts';
import { dayMs, type Allowance, type RequestCounter } from '../../rate-limits/count-requests.ts';
import { findStep } from './totp.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { RecoveryCode } from './recovery-code.entity.ts';
import { TwoFactor } from './two-factor.entity.ts';

/** A guess succeeds with three in a million, because three codes are valid at a time. */
const wrongCodesPerDay = 20;

export interface SecondFactorDependencies {
  database: Database;
  requestCounter: RequestCounter;
  secondFactorSealer: Sealer;
  now: () => Date;
}

/**
 * Checks the second factor of a user whose password was right. A user without a confirmed app passes. A code of the app
 * and a recovery code are used up. Wrong codes are limited per day and user, over all processes: only who knows the
 * password can use the limit up.
 *
 * Errors: two_factor_required, invalid_two_factor_code, rate_limited.
 *
 * @param enforce throws rate_limited if the allowance is used up: `enforceLimit` with the response
 * @returns what it was; null for a user without a confirmed app
 */
export async function checkSecondFactor(
  dependencies: SecondFactorDependencies,
  userId: string,
  code: string | undefined,
  enforce: (allowance: Allowance) => void,
): Promise<'second_factor' | 'recovery_code' | null> {
  const { database, requestCounter, secondFactorSealer, now } = dependencies;
  const factor = await database.em.fork().findOne(TwoFactor, { user: userId, confirmedAt: { $ne: null } });
  if (!factor) return null;
  if (code === undefined) {
    throw new ApiError('two_factor_required', errorCatalogue.two_factor_required.meaning);
  }
  const guess = { subject: `twoFactor:${userId}`, limit: wrongCodesPerDay, windowMs: dayMs };
  enforce(await requestCounter.count([guess]));
  const isOfApp = /^\d{6}$/.test(code);
  const isRight = isOfApp
    ? await useTotp(database.em.fork(), factor, secondFactorSealer, code, now())
    : await useRecoveryCode(database, userId, code);
  if (!isRight) {
    throw new ApiError('invalid_two_factor_code', errorCatalogue.invalid_two_factor_code.meaning);
  }
  await requestCounter.giveBack([guess]);
  return isOfApp ? 'second_factor' : 'recovery_code';
}

/** Uses a code of the app. Returns false if it is wrong, or if it or a later one was used. */
export async function useTotp(
  em: EntityManager,
  { user, sealedSecret }: TwoFactor,
  sealer: Sealer,
  code: string,
  at: Date,
): Promise<boolean> {
  const secret = sealer.unseal(user.id, Buffer.from(sealedSecret).toString('base64'));
  const step = findStep(secret, code, at);
  if (step === null) return false;
  const unused = { $or: [{ lastUsedStep: null }, { lastUsedStep: { $lt: step } }] };
  const changed = await em.nativeUpdate(TwoFactor, { user: user.id, ...unused }, { lastUsedStep: step });
  return changed === 1;
}

async function useRecoveryCode(database: Database, userId: string, code: string): Promise<boolean> {
  const removed = await database.em
    .fork()
    .nativeDelete(RecoveryCode, { user: userId, codeHash: hashRecoveryCode(code) });
  return removed > 0;
}
