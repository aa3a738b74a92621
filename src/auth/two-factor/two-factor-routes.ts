import { Router, type Request, type Response } from 'express';
import { inputOf } from '../../http/contract/input-of.ts';
import { enforceLimit } from '../../rate-limits/limit-rate.ts';
import { administratorOf } from '../administrator.ts';
import type { Mailer } from '../mails/mailer.ts';
import { clientOf } from '../security-events/record-security-event.ts';
import { checkPassword } from './check-password.ts';
import {
  confirmTwoFactor,
  prepareTwoFactor,
  readTwoFactor,
  removeTwoFactor,
  renewRecoveryCodes,
  type Change,
} from './change-two-factor.ts';
import { checkSecondFactor, type SecondFactorDependencies } from './check-second-factor.ts';
import { resetTwoFactor } from './reset-two-factor.ts';

/** Two-factor sign-in of the session's user, and its reset by an administrator. Guesses at the password are limited in limit-rate.ts. */
export function twoFactorRoutes(dependencies: SecondFactorDependencies & { mailer: Mailer | null }): Router {
  const { database } = dependencies;
  const router = Router();

  router.get('/api/auth/two-factor', async (request, response) => {
    response.json(await readTwoFactor(database, request.session!.userId));
  });

  router.post('/api/auth/two-factor/enable', async (request, response) => {
    const { userId } = request.session!;
    await checkPassword(database, userId, inputOf(request, 'enableTwoFactor').body.password);
    response.json(await prepareTwoFactor(dependencies, userId));
  });

  router.post('/api/auth/two-factor/confirm', async (request, response) => {
    const { code } = inputOf(request, 'confirmTwoFactor').body;
    const change = { userId: request.session!.userId, client: clientOf(request) };
    response.json(await confirmTwoFactor(dependencies, change, code));
  });

  router.post('/api/auth/two-factor/disable', async (request, response) => {
    const { password, code } = inputOf(request, 'disableTwoFactor').body;
    await removeTwoFactor(dependencies, await checkBoth(request, response, password, code));
    response.json({ success: true });
  });

  router.post('/api/auth/two-factor/renew-recovery-codes', async (request, response) => {
    const { password, code } = inputOf(request, 'renewRecoveryCodes').body;
    const change = await checkBoth(request, response, password, code);
    response.json(await renewRecoveryCodes(dependencies, change));
  });

  router.post('/api/auth/admin/reset-two-factor', async (request, response) => {
    const { userId } = inputOf(request, 'resetTwoFactor').body;
    const client = clientOf(request);
    await resetTwoFactor(dependencies, administratorOf(request), { userId, client });
    response.json({ success: true });
  });

  return router;

  async function checkBoth(
    request: Request,
    response: Response,
    password: string,
    code: string,
  ): Promise<Change> {
    const { userId } = request.session!;
    await checkPassword(database, userId, password);
    const method = await checkSecondFactor(dependencies, userId, code, (allowance) =>
      enforceLimit(allowance, response),
    );
    return { userId, method, client: clientOf(request) };
  }
}
