import { Router } from 'express';
import type { Principal } from '../principal.ts';
import type { Schemas } from '../http/contract-types.ts';
import { inputOf } from '../http/input-of.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import type { IdempotentResult } from '../idempotency/find-answer.ts';
import { readIdempotencyClaim, type IdempotencyClaim } from '../idempotency/idempotency-claim.ts';
import { orderOf, type SecurityCodeOrder } from './draft-security-code.ts';
import type { SecurityCodeRecord } from './send-security-code.ts';
import type { VerificationRecord } from './verify-security-code.ts';

export function securityCodeRoutes(dependencies: {
  sendSecurityCode: (
    principal: Principal,
    order: SecurityCodeOrder,
    claim: IdempotencyClaim | null,
  ) => Promise<IdempotentResult<SecurityCodeRecord>>;
  verifySecurityCode: (
    principal: Principal,
    input: Schemas['VerificationInput'],
  ) => Promise<VerificationRecord>;
}): Router {
  const { sendSecurityCode, verifySecurityCode } = dependencies;
  const router = Router();

  router.post('/api/v1/security-codes/send', async (request, response) => {
    const order = orderOf(inputOf(request, 'sendSecurityCode').body);
    const claim = readIdempotencyClaim(request, order);
    answerOnce(response, 202, await sendSecurityCode(request.principal, order, claim));
  });

  router.post('/api/v1/security-codes/verify', async (request, response) => {
    const { body } = inputOf(request, 'verifySecurityCode');
    response.json(await verifySecurityCode(request.principal, body));
  });

  return router;
}
