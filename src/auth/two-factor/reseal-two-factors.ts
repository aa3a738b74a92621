import type { Database } from '../../database.ts';
import type { Sealer } from '../../messages/sealer.ts';
import { TwoFactor } from './two-factor.entity.ts';

/**
 * Seals the secrets of authenticator apps with the current key. The service may run meanwhile: a secret that changes
 * during the call stays as it has become. If it is interrupted, call it again.
 */
export async function resealTwoFactors(
  database: Database,
  sealer: Sealer,
): Promise<{ resealed: number; unreadable: number }> {
  const em = database.em.fork();
  const total = { resealed: 0, unreadable: 0 };
  for (const { user, sealedSecret } of await em.findAll(TwoFactor)) {
    try {
      const renewed = sealer.renew(user.id, Buffer.from(sealedSecret).toString('base64'));
      if (renewed === null) continue;
      total.resealed += await em.nativeUpdate(
        TwoFactor,
        { user: user.id, sealedSecret },
        { sealedSecret: Buffer.from(renewed, 'base64') },
      );
    } catch {
      total.unreadable += 1;
    }
  }
  return total;
}
