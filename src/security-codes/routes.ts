import { Router } from 'express';
import { inputOf } from '../http/contract/input-of.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import { readIdempotencyKeyUse } from '../idempotency/idempotency-key-use.ts';
import type { Services } from '../services.ts';
import { orderOf } from './draft-security-code.ts';
import { createSendSecurityCode } from './send-security-code.ts';
import { createVerifySecurityCode } from './verify-security-code.ts';

export function securityCodeRoutes(services: Services): Router {
  const sendSecurityCode = createSendSecurityCode(services);
  const verifySecurityCode = createVerifySecurityCode(services);
  const router = Router();

  router.post('/api/v1/security-codes/send', async (request, response) => {
    const order = orderOf(inputOf(request, 'sendSecurityCode').body);
    const keyUse = readIdempotencyKeyUse(request, order);
    answerOnce(response, 202, await sendSecurityCode(request.principal, order, keyUse));
  });

  router.post('/api/v1/security-codes/verify', async (request, response) => {
    const { body } = inputOf(request, 'verifySecurityCode');
    response.json(await verifySecurityCode(request.principal, body));
  });

  return router;
}
