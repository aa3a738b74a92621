import { Router } from 'express';
import type { Principal } from '../principal.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import type { IdempotentResult } from '../idempotency/find-answer.ts';
import { readIdempotencyClaim, type IdempotencyClaim } from '../idempotency/idempotency-claim.ts';
import { orderOf, type SecurityCodeInput, type SecurityCodeOrder } from './draft-security-code.ts';
import type { SecurityCodeRecord } from './send-security-code.ts';
import type { VerificationInput, VerificationRecord } from './verify-security-code.ts';

export function securityCodeRoutes(dependencies: {
  sendSecurityCode: (
    principal: Principal,
    order: SecurityCodeOrder,
    claim: IdempotencyClaim | null,
  ) => Promise<IdempotentResult<SecurityCodeRecord>>;
  verifySecurityCode: (principal: Principal, input: VerificationInput) => Promise<VerificationRecord>;
}): Router {
  const { sendSecurityCode, verifySecurityCode } = dependencies;
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
