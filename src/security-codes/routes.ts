import { Router } from 'express';
import { answerOnce } from '../idempotency/answer-once.ts';
import { readIdempotencyClaim } from '../idempotency/idempotency-claim.ts';
import type { Services } from '../services.ts';
import { orderOf, type SecurityCodeInput } from './draft-security-code.ts';
import { createSendSecurityCode } from './send-security-code.ts';
import { createVerifySecurityCode, type VerificationInput } from './verify-security-code.ts';

export function securityCodeRoutes(services: Services): Router {
  const sendSecurityCode = createSendSecurityCode(services);
  const verifySecurityCode = createVerifySecurityCode(services);
  const router = Router();

  router.post('/api/v1/security-codes/send', async (request, response) => {
    const order = orderOf(request.body as SecurityCodeInput);
    const claim = readIdempotencyClaim(request, order);
    answerOnce(response, 202, await sendSecurityCode(request.principal, order, claim));
  });

  router.post('/api/v1/security-codes/verify', async (request, response) => {
    response.json(await verifySecurityCode(request.principal, request.body as VerificationInput));
  });

  return router;
}
