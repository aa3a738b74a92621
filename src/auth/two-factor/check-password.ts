import { verifyPassword } from 'better-auth/crypto';
import type { Database } from '../../database.ts';
import { ApiError, errorCatalogue } from '../../errors.ts';
import { Account } from '../account.entity.ts';

/** Checks the password of a signed-in user. Errors: invalid_password, also for a user without a password. */
export async function checkPassword(database: Database, userId: string, password: string): Promise<void> {
  const account = await database.em.fork().findOne(Account, { user: userId, providerId: 'credential' });
  if (account?.password && (await verifyPassword({ hash: account.password, password }))) return;
  throw new ApiError('invalid_password', errorCatalogue.invalid_password.meaning);
}
