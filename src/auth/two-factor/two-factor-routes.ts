import { Router, type Request, type Response } from 'express';
import { inputOf } from '../../http/contract/input-of.ts';
import { enforceLimit } from '../../rate-limits/limit-rate.ts';
import { checkPassword } from './check-password.ts';
import {
  confirmTwoFactor,
  prepareTwoFactor,
  readTwoFactor,
  removeTwoFactor,
  renewRecoveryCodes,
} from './change-two-factor.ts';
import { checkSecondFactor, type SecondFactorDependencies } from './check-second-factor.ts';

/** Two-factor sign-in of the session's user. Guesses at the password are limited in limit-rate.ts. */
export function twoFactorRoutes(dependencies: SecondFactorDependencies): Router {
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
    response.json(await confirmTwoFactor(dependencies, request.session!.userId, code));
  });

  router.post('/api/auth/two-factor/disable', async (request, response) => {
    const { password, code } = inputOf(request, 'disableTwoFactor').body;
    await checkBoth(request, response, password, code);
    await removeTwoFactor(database, request.session!.userId);
    response.json({ success: true });
  });

  router.post('/api/auth/two-factor/renew-recovery-codes', async (request, response) => {
    const { password, code } = inputOf(request, 'renewRecoveryCodes').body;
    await checkBoth(request, response, password, code);
    response.json(await renewRecoveryCodes(database, request.session!.userId));
  });

  return router;

  async function checkBoth(
    request: Request,
    response: Response,
    password: string,
    code: string,
  ): Promise<void> {
    const { userId } = request.session!;
    await checkPassword(database, userId, password);
    await checkSecondFactor(dependencies, userId, code, (allowance) => enforceLimit(allowance, response));
  }
}
