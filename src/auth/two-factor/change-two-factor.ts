import { v7 as uuidv7 } from 'uuid';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../database.ts';
import { ApiError, errorCatalogue } from '../../errors.ts';
import type { Sealer } from '../../messages/sealer.ts';
import { lockUser } from '../lock-user.ts';
import { inAccountTransaction } from '../account-transaction.ts';
import type { Mailer } from '../mails/mailer.ts';
import { recordSecurityEvent, type NewSecurityEvent } from '../security-events/record-security-event.ts';
import { User } from '../user.entity.ts';
import { useTotp } from './check-second-factor.ts';
import { RecoveryCode } from './recovery-code.entity.ts';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import { generateSecret, totpUri } from './totp.ts';
import { TwoFactor } from './two-factor.entity.ts';

interface Dependencies {
  database: Database;
  secondFactorSealer: Sealer;
  mailer: Mailer | null;
  now: () => Date;
}

/** Who changes what, and with what they have proved who they are. */
export type Change = Pick<NewSecurityEvent, 'userId' | 'client' | 'method'>;

/**
 * Gives a user a new secret for their app. It has no effect until a code confirms it; a secret that was not confirmed is
 * replaced. Errors: invalid_state, if an app is confirmed.
 */
export async function prepareTwoFactor(
  { database, secondFactorSealer, now }: Omit<Dependencies, 'mailer'>,
  userId: string,
): Promise<{ totpURI: string }> {
  const secret = generateSecret();
  const sealedSecret = Buffer.from(secondFactorSealer.seal(userId, secret), 'base64');
  const email = await inAccountTransaction(database, async (em) => {
    await lockUser(database, userId);
    const existing = await em.findOne(TwoFactor, { user: userId });
    if (existing?.confirmedAt) {
      throw new ApiError(
        'invalid_state',
        'Two-factor sign-in is on. Turn it off first, with a code of the old app.',
      );
    }
    if (existing) Object.assign(existing, { sealedSecret, lastUsedStep: null, createdAt: now() });
    else {
      em.create(TwoFactor, {
        ...{ user: userId, sealedSecret, confirmedAt: null, lastUsedStep: null, createdAt: now() },
      });
    }
    await em.flush();
    return (await em.findOneOrFail(User, { id: userId })).email;
  });
  return { totpURI: totpUri(secret, email) };
}

/**
 * Confirms the app by a code, which turns two-factor sign-in on. The response alone has the recovery codes. Errors:
 * invalid_state, if there is nothing to confirm; invalid_two_factor_code.
 */
export async function confirmTwoFactor(
  dependencies: Dependencies,
  { userId, client }: Change,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const { database, secondFactorSealer, now } = dependencies;
  return inAccountTransaction(database, async (em) => {
    await lockUser(database, userId);
    const factor = await em.findOne(TwoFactor, { user: userId, confirmedAt: null });
    if (!factor)
      throw new ApiError('invalid_state', 'There is no app to confirm. Turn two-factor sign-in on first.');
    if (!(await useTotp(em, factor, secondFactorSealer, code, now()))) {
      throw new ApiError('invalid_two_factor_code', errorCatalogue.invalid_two_factor_code.meaning);
    }
    await em.nativeUpdate(TwoFactor, { user: userId }, { confirmedAt: now() });
    await recordSecurityEvent(dependencies, { userId, kind: 'two_factor_enabled', client }, now());
    return replaceRecoveryCodes(em, userId);
  });
}

/** Turns two-factor sign-in off, and removes the app and the recovery codes. The caller has checked the second factor. */
export async function removeTwoFactor(
  dependencies: Omit<Dependencies, 'secondFactorSealer'>,
  { userId, client, method }: Change,
): Promise<void> {
  const { database, now } = dependencies;
  await inAccountTransaction(database, async (em) => {
    if (!(await deleteTwoFactor(database, em, userId))) return;
    const event = { userId, kind: 'two_factor_disabled', method, client } as const;
    await recordSecurityEvent(dependencies, event, now());
  });
}

/**
 * Deletes the app and the recovery codes of a user, within the given transaction.
 *
 * @returns whether the app was confirmed
 */
export async function deleteTwoFactor(
  database: Database,
  em: EntityManager,
  userId: string,
): Promise<boolean> {
  await lockUser(database, userId);
  await em.nativeDelete(RecoveryCode, { user: userId });
  const confirmed = await em.nativeDelete(TwoFactor, { user: userId, confirmedAt: { $ne: null } });
  await em.nativeDelete(TwoFactor, { user: userId });
  return confirmed > 0;
}

/** Gives a user new recovery codes; the old ones end. Errors: invalid_state, if two-factor sign-in is off. */
export async function renewRecoveryCodes(
  dependencies: Omit<Dependencies, 'secondFactorSealer'>,
  { userId, client, method }: Change,
): Promise<{ recoveryCodes: string[] }> {
  const { database, now } = dependencies;
  return inAccountTransaction(database, async (em) => {
    await lockUser(database, userId);
    const isOn = (await em.count(TwoFactor, { user: userId, confirmedAt: { $ne: null } })) > 0;
    if (!isOn) throw new ApiError('invalid_state', 'Two-factor sign-in is off.');
    const event = { userId, kind: 'recovery_codes_renewed', method, client } as const;
    await recordSecurityEvent(dependencies, event, now());
    return replaceRecoveryCodes(em, userId);
  });
}

/** Whether two-factor sign-in is on, and how many recovery codes are left. */
export async function readTwoFactor(
  database: Database,
  userId: string,
): Promise<{ isEnabled: boolean; recoveryCodesLeft: number }> {
  const em = database.em.fork();
  const isEnabled = (await em.count(TwoFactor, { user: userId, confirmedAt: { $ne: null } })) > 0;
  return { isEnabled, recoveryCodesLeft: isEnabled ? await em.count(RecoveryCode, { user: userId }) : 0 };
}

async function replaceRecoveryCodes(em: EntityManager, userId: string): Promise<{ recoveryCodes: string[] }> {
  const recoveryCodes = generateRecoveryCodes();
  await em.nativeDelete(RecoveryCode, { user: userId });
  await em.insertMany(
    RecoveryCode,
    recoveryCodes.map((code) => ({ id: uuidv7(), user: userId, codeHash: hashRecoveryCode(code) })),
  );
  return { recoveryCodes };
}
